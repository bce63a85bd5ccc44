import { z } from 'zod';
import { AllowList } from './allow-list.js';

/** The setting `EGRESS_ALLOW`: hosts, addresses and networks of the operator's own that may be reached; `*` is all. */
export const allowListSetting = z
  .string()
  .transform((text, context) => {
    try {
      return AllowList.read(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return z.NEVER;
    }
  })
  .default(AllowList.read(''));
