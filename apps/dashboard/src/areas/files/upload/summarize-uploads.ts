import type { Upload, UploadStatus } from './upload-queue.js';

/** All uploads together. */
export interface UploadSummary {
  counts: Record<UploadStatus, number>;
  /** Bytes of all uploads that are not cancelled. */
  totalBytes: number;
  loadedBytes: number;
  isActive: boolean;
}

export function summarizeUploads(uploads: readonly Upload[]): UploadSummary {
  const counts: Record<UploadStatus, number> = { waiting: 0, sending: 0, done: 0, failed: 0, cancelled: 0 };
  let totalBytes = 0;
  let loadedBytes = 0;
  for (const { status, size, loaded } of uploads) {
    counts[status] += 1;
    if (status === 'cancelled') continue;
    totalBytes += size;
    loadedBytes += loaded;
  }
  return { counts, totalBytes, loadedBytes, isActive: counts.waiting + counts.sending > 0 };
}

const PRIORITY: Record<UploadStatus, number> = { failed: 0, sending: 1, waiting: 2, cancelled: 3, done: 4 };

/** The uploads that a short list shows: failures first, then those under way, finished ones last. */
export const selectForList = (uploads: readonly Upload[], limit: number): Upload[] =>
  uploads.toSorted((a, b) => PRIORITY[a.status] - PRIORITY[b.status]).slice(0, limit);
