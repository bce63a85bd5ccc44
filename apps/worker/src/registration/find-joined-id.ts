import { isLink } from '@millrace/messaging/wiring/messaging-options';

/** The id of a worker that has joined with a token, which signs in at the gateway; undefined for other workers. */
export const findJoinedId = (natsUrl: string): string | undefined =>
  isLink(natsUrl) ? decodeURIComponent(new URL(natsUrl).username) : undefined;
