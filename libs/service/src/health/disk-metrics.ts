import { addMetricSource, createGauge } from '@millrace/telemetry/metrics/registry';
import type { DiskSpace } from './disk-space.js';

const freeBytes = createGauge('millrace_disk_free_bytes', 'Free space on the disk of a data folder', ['folder']);
const sizeBytes = createGauge('millrace_disk_size_bytes', 'Size of the disk of a data folder', ['folder']);

/** Measures at each scrape the disks of the data folders. @returns a function that ends it */
export function measureDisks(disk: DiskSpace): () => void {
  return addMetricSource({
    name: 'disks',
    read: async () =>
      (await disk.readUsages()).flatMap(({ folder, free, size }) => [
        { gauge: freeBytes, labels: { folder }, value: free },
        { gauge: sizeBytes, labels: { folder }, value: size },
      ]),
  });
}
