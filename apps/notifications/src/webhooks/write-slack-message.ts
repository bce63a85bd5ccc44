import type { WebhookEvent } from './webhook-event.js';

interface Section {
  type: 'section';
  text: { type: 'mrkdwn'; text: string };
}

export interface SlackMessage {
  /** What notifications show, and clients that know no blocks. */
  text: string;
  blocks: Section[];
}

/** Slack takes 3,000 characters in the text of a section, and refuses the message otherwise (Block Kit reference). */
const LONGEST_SECTION = 3_000;
const MARKS: Record<string, string> = {
  'run.completed': ':white_check_mark:',
  'run.failed': ':x:',
  'run.stopped': ':black_square_for_stop:',
};

/**
 * An event as an incoming webhook of Slack takes it, and Mattermost, Rocket.Chat and Discord (`/slack`) after it. `publicUrl` is
 * where its page is.
 */
export function writeSlackMessage({ type, said, detail, page }: WebhookEvent, publicUrl: string): SlackMessage {
  const mark = MARKS[type] ?? ':package:';
  const link = page === undefined ? '' : ` <${publicUrl.replace(/\/$/, '')}${page}|Open>`;
  const text = cut(escape(said), LONGEST_SECTION - mark.length - 1 - link.length);
  const fence = '```';
  const more = detail === undefined ? [] : [`${fence}${cut(escape(unfence(detail)), LONGEST_SECTION - 6)}${fence}`];
  return { text, blocks: [`${mark} ${text}${link}`, ...more].map(toSection) };
}

const toSection = (text: string): Section => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** The three characters that mean something (Slack, "Escaping text"); else a name could mention everybody in a channel. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').toWellFormed();

const unfence = (text: string): string => text.replaceAll('```', "'''");

/** Never inside of an escape. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .replace(/&[a-z]{0,3}$/, '')
    .toWellFormed()}…`;
}
