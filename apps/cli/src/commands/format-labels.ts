/** Labels as they are set on a worker: `gpu=true,zone=eu`. */
export const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
