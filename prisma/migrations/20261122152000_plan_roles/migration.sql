ALTER TABLE "billing"."plan" ADD COLUMN "roles" BOOLEAN NOT NULL DEFAULT false;
UPDATE "billing"."plan" SET "roles" = true WHERE "name" = 'enterprise';

-- Until now the name of the plan decided.
ALTER TABLE "billing"."customer" ADD COLUMN "roles_told" BOOLEAN NOT NULL DEFAULT true;
UPDATE "billing"."customer" SET "roles_told" = false WHERE "plan" <> 'enterprise';
ALTER TABLE "auth"."vault" ADD COLUMN "plan_roles" BOOLEAN NOT NULL DEFAULT true;
UPDATE "auth"."vault" SET "plan_roles" = false WHERE "plan" <> 'enterprise';
