-- CreateTable
CREATE TABLE "runs"."sandbox_intake" (
    "vault_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "sandbox_intake_pkey" PRIMARY KEY ("vault_id","user_id")
);
