import type { TEST_EVENT, WebhookEventType } from '@millrace/contracts/notifications/webhooks';

/** An event in the form that webhooks send. */
export interface WebhookEvent {
  type: WebhookEventType | typeof TEST_EVENT;
  /** The space of the event. */
  space?: string;
  /** Time of the event (RFC 3339). */
  at: string;
  data: Record<string, string | number | boolean | readonly object[]>;
  /** The event as a sentence. */
  summary: string;
  /** Further text, such as the error of a run. */
  detail?: string;
  /** Path of the page that shows the event. */
  page?: string;
  /** Paths of further pages, by the field of `data` that gets the URL. */
  links?: Record<string, string>;
}

/** An event with its vault and workflow, which decide about its webhooks. */
export interface AddressedWebhookEvent extends WebhookEvent {
  type: WebhookEventType;
  vault: string;
  workflow?: string;
  /** For `table.changed`: the table. Other events are not limited by the table or view of a webhook. */
  dataset?: string;
  /** The view whose rows the event has; null: all changed rows. */
  view?: string | null;
  /** Present if only webhooks of these users may send it. */
  authors?: ReadonlySet<string>;
}
