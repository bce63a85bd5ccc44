/** Name of the job that writes an export: the same whenever it is ordered, so that it waits once. */
export const exportJobId = (id: bigint | string): string => `export-${id}`;
