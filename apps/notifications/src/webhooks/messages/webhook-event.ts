import type { TEST_EVENT, WebhookEventType } from '@millrace/contracts/notifications/webhooks';

/** Something that happened, as webhooks tell it. */
export interface WebhookEvent {
  type: WebhookEventType | typeof TEST_EVENT;
  /** In which it happened. */
  space?: string;
  /** RFC 3339; of when it happened. */
  at: string;
  data: Record<string, string | number | boolean | readonly object[]>;
  /** The same in a sentence, for people. */
  said: string;
  /** More of it, such as the error of a run. */
  detail?: string;
  /** Path of the page that shows it. */
  page?: string;
}

/** With where it happened, which decides who is told. */
export interface PlacedEvent extends WebhookEvent {
  type: WebhookEventType;
  vault: string;
  workflow?: string;
}
