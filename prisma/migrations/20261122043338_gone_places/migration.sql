-- CreateTable
CREATE TABLE "datasets"."gone_place" (
    "id" UUID NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gone_place_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "gone_place_deleted_at_idx" ON "datasets"."gone_place"("deleted_at");
