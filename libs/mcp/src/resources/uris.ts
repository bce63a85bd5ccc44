/** URIs of resources. That of an output is also what a run accepts as an input. */
export const uris = {
  workflow: (id: string) => `millrace://workflows/${encodeURIComponent(id)}`,
  run: (id: string) => `millrace://runs/${encodeURIComponent(id)}`,
  log: (run: string, subjob: string, stream: 'stdout' | 'stderr' = 'stdout') =>
    `millrace://runs/${encodeURIComponent(run)}/subjobs/${encodeURIComponent(subjob)}/${stream}`,
  output: (id: string) => `millrace://output/${encodeURIComponent(id)}`,
  table: (id: string) => `millrace://tables/${encodeURIComponent(id)}`,
  docs: (page: string) => `millrace://docs/${page}`,
};
