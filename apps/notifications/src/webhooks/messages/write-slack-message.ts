import { cut, tameLine, tameLines } from './escape-chat-text.js';
import type { WebhookEvent } from './webhook-event.js';

interface Section {
  type: 'section';
  text: { type: 'mrkdwn'; text: string };
}

export interface SlackMessage {
  /** What notifications show; and all that Mattermost, Rocket.Chat and Discord show, which know no blocks. */
  text: string;
  blocks: Section[];
}

/** Slack takes 3,000 characters in the text of a section, and refuses the message otherwise (Block Kit reference). */
const MAX_SECTION_LENGTH = 3_000;
/** Discord refuses a message whose text is longer. */
const MAX_TEXT_LENGTH = 2_000;
/** Of that for the sentence, so that there is room for the error. */
const MAX_SENTENCE_LENGTH = 1_000;
const MARKS: Record<string, string> = {
  'run.completed': ':white_check_mark:',
  'run.failed': ':x:',
  'run.stopped': ':black_square_for_stop:',
  'billing.restricted': ':no_entry:',
  'billing.released': ':arrow_forward:',
  'webhook.test': ':wave:',
};
const FENCE = '```';

/**
 * An event as an incoming webhook of Slack takes it, and Mattermost, Rocket.Chat and Discord (`/slack`) after it. `publicUrl` is
 * where its page is.
 */
export function writeSlackMessage({ type, said, detail, page }: WebhookEvent, publicUrl: string): SlackMessage {
  const mark = MARKS[type] ?? ':package:';
  const link = page === undefined ? '' : ` <${publicUrl.replace(/\/$/, '')}${page}|Open>`;
  const line = tameLine(said);
  const fence = (most: number): string[] =>
    detail === undefined ? [] : [`${FENCE}${cut(tameLines(detail), most - 2 * FENCE.length)}${FENCE}`];
  const sentence = `${cut(line, MAX_SENTENCE_LENGTH)}${link}`;
  const first = `${mark} ${cut(line, MAX_SECTION_LENGTH - mark.length - 1 - link.length)}${link}`;
  return {
    text: [sentence, ...fence(MAX_TEXT_LENGTH - sentence.length - 1)].join('\n'),
    blocks: [first, ...fence(MAX_SECTION_LENGTH)].map(toSection),
  };
}

const toSection = (text: string): Section => ({ type: 'section', text: { type: 'mrkdwn', text } });
