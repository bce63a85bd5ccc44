import { z } from 'zod';

/** Something wrong with a workflow: `docs/reference/validation.md` lists the codes. */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  node: z.string().optional(),
  port: z.string().optional(),
  path: z.string().optional(),
  hint: z.string().optional(),
  nodes: z.array(z.string()).optional().describe('Of a cycle: the nodes along it, the first repeated at the end'),
});
