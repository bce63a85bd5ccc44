import { Module } from '@nestjs/common';

/** Live Tables and what stands on them. What it answers so far is its health. */
@Module({})
export class DatasetsModule {}
