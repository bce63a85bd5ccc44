import type { z } from 'zod';
import type { load } from '@millrace/contracts/datasets/loads';
import type { output } from '@millrace/contracts/runs/outputs';
import type { run, StatusChange } from '@millrace/contracts/runs/runs';
import type { subjob } from '@millrace/contracts/runs/subjobs';
import type { space } from '@millrace/contracts/workflows/spaces';
import type { file } from '@millrace/contracts/workflows/storage';
import type { workflow } from '@millrace/contracts/workflows/workflows';

export { formatDuration } from '@millrace/contracts/runs/format-duration';
export { isFinalRun, isFinalSubjob, type RunStatus, type SubjobStatus } from '@millrace/contracts/runs/statuses';
export type { StatusChange };
export type Run = z.output<typeof run>;
export type Subjob = z.output<typeof subjob>;
export type Output = z.output<typeof output>;
export type Load = z.output<typeof load>;
export type StoredFile = z.output<typeof file>;
export type Space = z.output<typeof space>;
export type Workflow = z.output<typeof workflow>;
