import { z } from 'zod';

/** A problem of a workflow; `docs/reference/validation.md` lists the codes. */
export const problem = z.object({
  code: z.string(),
  message: z.string(),
  node: z.string().optional(),
  port: z.string().optional(),
  path: z.string().optional(),
  position: z
    .int()
    .optional()
    .describe('In the text of a condition: where the problem is, 0-based, in UTF-16 code units'),
  expected: z.array(z.string()).optional().describe('What is accepted at that position'),
  hint: z.string().optional(),
  nodes: z
    .array(z.string())
    .optional()
    .describe('For a cycle: its nodes in order, with the first one repeated at the end'),
});
