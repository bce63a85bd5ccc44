/** Id of the job that writes an export. It is always the same, so an export has at most one waiting job. */
export const exportJobId = (id: bigint | string): string => `export-${id}`;
