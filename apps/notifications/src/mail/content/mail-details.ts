import { z } from 'zod';

/** What the mail of a notification has besides its title and its message. Stored with the mail until it is sent. */
export const mailDetails = z.object({
  /** Rows of a Live Table as texts of bounded length. */
  table: z
    .object({
      caption: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      /** Columns that are left out. */
      hiddenColumns: z.int().nonnegative(),
    })
    .optional(),
  /** The subscription that the user can end. Absent: the mail is sent because of the user's settings. */
  follow: z.object({ kind: z.enum(['table', 'view']), name: z.string(), path: z.string() }).optional(),
});
export type MailDetails = z.infer<typeof mailDetails>;
export type MailTable = NonNullable<MailDetails['table']>;
