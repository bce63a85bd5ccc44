import { truncateEscaped, escapeChatLine, escapeChatLines } from './escape-chat-text.js';
import type { WebhookEvent } from './webhook-event.js';

interface Section {
  type: 'section';
  text: { type: 'mrkdwn'; text: string };
}

export interface SlackMessage {
  /** Shown in notifications, and by Mattermost, Rocket.Chat and Discord, which do not support blocks. */
  text: string;
  blocks: Section[];
}

/** Slack rejects messages with more than 3,000 characters in a section (Block Kit reference). */
const MAX_SECTION_LENGTH = 3_000;
/** Discord rejects longer texts. */
const MAX_TEXT_LENGTH = 2_000;
/** The part of it for the sentence, so that the error fits, too. */
const MAX_SENTENCE_LENGTH = 1_000;
const EMOJI: Record<string, string> = {
  'run.completed': ':white_check_mark:',
  'run.failed': ':x:',
  'run.stopped': ':black_square_for_stop:',
  'billing.restricted': ':no_entry:',
  'billing.released': ':arrow_forward:',
  'webhook.test': ':wave:',
};
const FENCE = '```';

/**
 * Writes an event in the format of Slack's incoming webhooks, which Mattermost, Rocket.Chat and Discord (`/slack`) also
 * accept. `publicUrl` is the base of the link to the event's page.
 */
export function writeSlackMessage({ type, summary, detail, page }: WebhookEvent, publicUrl: string): SlackMessage {
  const emoji = EMOJI[type] ?? ':package:';
  const link = page === undefined ? '' : ` <${publicUrl.replace(/\/$/, '')}${page}|Open>`;
  const line = escapeChatLine(summary);
  const fence = (maxLength: number): string[] =>
    detail === undefined
      ? []
      : [`${FENCE}${truncateEscaped(escapeChatLines(detail), maxLength - 2 * FENCE.length)}${FENCE}`];
  const sentence = `${truncateEscaped(line, MAX_SENTENCE_LENGTH)}${link}`;
  const first = `${emoji} ${truncateEscaped(line, MAX_SECTION_LENGTH - emoji.length - 1 - link.length)}${link}`;
  return {
    text: [sentence, ...fence(MAX_TEXT_LENGTH - sentence.length - 1)].join('\n'),
    blocks: [first, ...fence(MAX_SECTION_LENGTH)].map(toSection),
  };
}

const toSection = (text: string): Section => ({ type: 'section', text: { type: 'mrkdwn', text } });
