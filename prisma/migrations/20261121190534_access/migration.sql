-- AlterTable
ALTER TABLE "auth"."user" ADD COLUMN     "google_subject" TEXT,
ADD COLUMN     "mfa_confirmed_at" TIMESTAMPTZ(3),
ADD COLUMN     "mfa_secret" BYTEA,
ADD COLUMN     "mfa_step" BIGINT;

-- AlterTable
ALTER TABLE "auth"."session" ADD COLUMN     "address" TEXT,
ADD COLUMN     "agent" TEXT,
ADD COLUMN     "client" TEXT NOT NULL DEFAULT 'web',
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "auth"."device_grant" (
    "id" UUID NOT NULL,
    "device_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "address" TEXT,
    "agent" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "user_id" UUID,
    "interval" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."recovery_code" (
    "user_id" UUID NOT NULL,
    "code_hash" TEXT NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id","code_hash")
);

-- CreateTable
CREATE TABLE "auth"."password_reset" (
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "auth"."sign_in_ticket" (
    "ticket_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_ticket_pkey" PRIMARY KEY ("ticket_hash")
);

-- CreateTable
CREATE TABLE "auth"."team" (
    "id" BIGSERIAL NOT NULL,
    "vault_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "vault_role" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "team_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."team_member" (
    "team_id" BIGINT NOT NULL,
    "user_id" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_member_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "auth"."space_assignment" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "space_id" UUID NOT NULL,
    "user_id" UUID,
    "team_id" BIGINT,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "space_assignment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."known_space" (
    "space_id" UUID NOT NULL,
    "admitted" BOOLEAN NOT NULL DEFAULT false,
    "deleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "known_space_pkey" PRIMARY KEY ("space_id")
);

-- CreateTable
CREATE TABLE "auth"."invitation" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth"."audit_entry" (
    "id" UUID NOT NULL,
    "vault_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_email" TEXT,
    "target_type" TEXT,
    "target_id" TEXT,
    "target_name" TEXT,
    "details" JSONB NOT NULL,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_grant_device_hash_key" ON "auth"."device_grant"("device_hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_grant_user_code_hash_key" ON "auth"."device_grant"("user_code_hash");

-- CreateIndex
CREATE INDEX "device_grant_expires_at_idx" ON "auth"."device_grant"("expires_at");

-- CreateIndex
CREATE INDEX "password_reset_user_id_idx" ON "auth"."password_reset"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_ticket_expires_at_idx" ON "auth"."sign_in_ticket"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "team_vault_id_name_key" ON "auth"."team"("vault_id", "name");

-- CreateIndex
CREATE INDEX "team_member_user_id_idx" ON "auth"."team_member"("user_id");

-- CreateIndex
CREATE INDEX "space_assignment_user_id_idx" ON "auth"."space_assignment"("user_id");

-- CreateIndex
CREATE INDEX "space_assignment_team_id_idx" ON "auth"."space_assignment"("team_id");

-- CreateIndex
CREATE UNIQUE INDEX "space_assignment_space_id_user_id_key" ON "auth"."space_assignment"("space_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "space_assignment_space_id_team_id_key" ON "auth"."space_assignment"("space_id", "team_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "auth"."invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_vault_id_created_at_idx" ON "auth"."invitation"("vault_id", "created_at");

-- CreateIndex
CREATE INDEX "invitation_email_idx" ON "auth"."invitation"("email");

-- CreateIndex
CREATE INDEX "audit_entry_vault_id_created_at_idx" ON "auth"."audit_entry"("vault_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_google_subject_key" ON "auth"."user"("google_subject");

-- AddForeignKey
ALTER TABLE "auth"."recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."sign_in_ticket" ADD CONSTRAINT "sign_in_ticket_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."team" ADD CONSTRAINT "team_vault_id_fkey" FOREIGN KEY ("vault_id") REFERENCES "auth"."vault"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."team_member" ADD CONSTRAINT "team_member_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "auth"."team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."team_member" ADD CONSTRAINT "team_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."space_assignment" ADD CONSTRAINT "space_assignment_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "auth"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."space_assignment" ADD CONSTRAINT "space_assignment_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "auth"."team"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth"."invitation" ADD CONSTRAINT "invitation_vault_id_fkey" FOREIGN KEY ("vault_id") REFERENCES "auth"."vault"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot say.

ALTER TABLE "auth"."space_assignment"
  ADD CONSTRAINT "space_assignment_one_holder" CHECK (num_nonnulls("user_id", "team_id") = 1);

-- One open invitation for an email in a vault.
CREATE UNIQUE INDEX "invitation_open_key" ON "auth"."invitation"("vault_id", "email")
  WHERE "accepted_at" IS NULL AND "revoked_at" IS NULL;

-- The audit log only grows.
CREATE FUNCTION "auth"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'auth.audit_entry is append-only';
END $$;
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "auth"."audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "auth"."refuse_change"();

-- Whatever changes what a caller may is told at its commit, whoever changes it: gateways keep callers in memory.
-- Payloads are `user <id>` and `vault <id>`; Postgres tells equal ones of a transaction once.
CREATE FUNCTION "auth"."tell_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callers_changed', 'user ' || (coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;
CREATE FUNCTION "auth"."tell_vault"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('callers_changed', 'vault ' || (coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> 'vault_id'));
  RETURN NULL;
END $$;
CREATE TRIGGER "user_changed" AFTER UPDATE OF "vault_role", "disabled_at", "token_hash" OR DELETE ON "auth"."user"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_user"('id');
CREATE TRIGGER "session_changed" AFTER UPDATE OF "revoked_at" OR DELETE ON "auth"."session"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_user"('user_id');
CREATE TRIGGER "team_member_changed" AFTER INSERT OR DELETE ON "auth"."team_member"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_user"('user_id');
CREATE TRIGGER "team_changed" AFTER UPDATE OF "vault_role" OR DELETE ON "auth"."team"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_vault"();
CREATE TRIGGER "space_assignment_changed" AFTER INSERT OR UPDATE OF "role" OR DELETE ON "auth"."space_assignment"
  FOR EACH ROW EXECUTE FUNCTION "auth"."tell_vault"();

-- More than failures to sign in is counted by now, all of it for an hour at the most. A renamed table would keep the old
-- name in its constraints, and which of those have names differs between versions of Postgres.
DROP TABLE "auth"."sign_in_failure";
CREATE TABLE "auth"."counted_try" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "counted_try_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "counted_try_subject_at_idx" ON "auth"."counted_try"("subject", "at");
