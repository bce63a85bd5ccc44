import { z } from 'zod';
import { AllowList } from './allow-list.js';

/** The variable `EGRESS_ALLOW`: private hosts, addresses and networks that may be reached; `*` allows all. */
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
