CREATE TABLE "runs"."deleted_workflow" (
    "workflow_id" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_workflow_pkey" PRIMARY KEY ("workflow_id")
);

-- Workflows that were deleted before this table existed, and still have runs.
INSERT INTO "runs"."deleted_workflow" ("workflow_id")
SELECT DISTINCT r."workflow_id" FROM "runs"."run" r
WHERE NOT EXISTS (SELECT FROM "workflows"."workflow" w WHERE w."id" = r."workflow_id");
