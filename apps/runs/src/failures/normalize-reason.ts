import { isIPv6 } from 'node:net';

/** Maximum length of a reason, in characters. Messages have at most 300. */
const MAX_CHARACTERS = 400;
/** What the platform writes before the command's own words. Its numbers are part of the reason. */
const PREFIX = /^(?:exit code (?:\d+|\?)|ended by \w+)(?:: |$)/;
/** Last labels of dotted names that are no hosts, such as `socket.timeout` and `main.py`. */
const NO_DOMAINS =
  'error|errors|exception|exceptions|timeout|gaierror|warning|py|js|mjs|ts|sh|bash|go|rb|pl|php|c|cc|cpp|h|rs|java|' +
  'class|jar|so|dll|exe|bin|log|txt|csv|json|jsonl|ndjson|yaml|yml|toml|xml|html|md|gz|zip|tar|conf|cfg|ini|lock|tmp';

const DURATION_UNIT =
  '(?:ns|µs|us|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![\\p{L}\\p{N}])';
const NOT_IN_WORD = '(?<![\\p{L}\\p{N}_])';
const PORT = '(?::\\d{1,5}(?!\\d))?';
/** Words whose number says what went wrong: `status code 403`, `[Errno 111]`. */
const NAMED_NUMBER = '(?<!(?:status|code|errno|error|signal|HTTP(?:/[\\w.<>]+)?)[ :=(]{1,3}(?=\\d{1,3}(?!\\d)))';

type Replacement = readonly [RegExp, string | ((found: string) => string)];

/**
 * In this order: what contains other forms comes first. No pattern has nested repetition over the same characters, and
 * the text is short, so a hostile message costs microseconds.
 */
const REPLACEMENTS: readonly Replacement[] = [
  [/^The worker that ran this step \([^)]*\)/, 'The worker that ran this step (<worker>)'],
  // Colours, whose escape character the worker has removed.
  [/\[\d{1,3}(?:;\d{1,3}){0,4}m/g, ''],
  [/"[^"]*"|`[^`]*`|“[^”]*”|‘[^’]*’|«[^»]*»/g, '<text>'],
  [/(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, '<text>'],
  [/(?<![\w<])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>()]*[^\s<>().,:;]/gi, '<url>'],
  [/[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/g, '<email>'],
  [/(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])/gi, '<uuid>'],
  // Dates with a time, dates, times of day; also `Tue, 24 Nov 2026 02:35:39 GMT` and `Nov 24 02:35:39`.
  [
    /(?<![\w.-])\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?(?![\w-])/g,
    '<time>',
  ],
  [
    /(?<!\w)(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2}) \d{2}:\d{2}:\d{2}(?: (?:GMT|UTC|\d{4}))?/g,
    '<time>',
  ],
  [/(?<![\w.:])\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?![\w:])/g, '<time>'],
  [/(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])/gi, '<address>'],
  [/\[[0-9a-f:.]{2,45}(?:%\w{1,20})?\](?::\d{1,5})?/gi, replaceBracketed],
  [/(?<![\w:.])(?=[0-9a-f.]*:)[0-9a-f:.]{2,45}(?:%\w{1,20})?(?:\/\d{1,3})?(?!\w|:\w)/gi, replaceIpv6],
  [new RegExp(`(?<![\\w.])\\d{1,3}(?:\\.\\d{1,3}){3}(?:/\\d{1,2})?${PORT}(?![\\w.]*\\w)`, 'g'), '<address>'],
  [/(?<![\w/<.])(?:~|\.{1,2})?\/[\w.@%+~-][^\s:;,'<>()[\]]*/g, '<path>'],
  [/(?<!\w)[A-Za-z]:\\[^\s:;,'<>()[\]]*/g, '<path>'],
  // A relative path below `in/` or `out/`, of three names, or to a file with an extension.
  [
    /(?<![\w/<.-])(?:(?:in|out)\/[\w.@%+-]+(?:\/[\w.@%+-]+)*|[\w.@%+-]+(?:\/[\w.@%+-]+){2,}|[\w@%+-]+\/[\w@%+-]+\.[A-Za-z]\w{0,7}(?!\w))/g,
    '<path>',
  ],
  [
    new RegExp(
      `(?<![\\w.@/-])(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\\.)+(?!(?:${NO_DOMAINS})(?![\\w-]))[a-z][a-z0-9-]{0,22}[a-z]` +
        `(?![\\w-]|\\.\\w|\\()\\.?(?=$|[^\\w])${PORT}`,
      'g',
    ),
    '<host>',
  ],
  [/(?<!\w)0x[0-9a-f]+(?!\w)/gi, '<hex>'],
  [/(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?:[0-9a-f]{8,})(?![\w-])/gi, '<hex>'],
  [/(?<![\w-])(?=[\w-]*\d[\w-]*\d)(?=[\w-]*[A-Za-z])(?=[\w-]*[a-z]\d|[\w-]*\d[a-zA-Z])[\w-]{20,}(?![\w-])/g, '<id>'],
  [
    new RegExp(`${NOT_IN_WORD}(?:\\d+(?:\\.\\d+)? ?${DURATION_UNIT.replace('(?![', '(?!(?!\\d)[')})+`, 'gu'),
    '<duration>',
  ],
  [new RegExp(`${NOT_IN_WORD}\\d+(?:\\.\\d+)? ?(?:bytes?|[KMGTP]i?B|[kmgt]b|B)(?![\\p{L}\\p{N}])`, 'gu'), '<size>'],
  [
    new RegExp(`${NAMED_NUMBER}(?<![\\p{L}\\p{N}_<])[+-]?\\d+(?:[.,]\\d+)*(?:e[+-]?\\d+)?%?(?![\\p{L}\\p{N}])`, 'giu'),
    '<number>',
  ],
  [new RegExp(`${NAMED_NUMBER}(?<!\\d)\\d+`, 'gi'), '<number>'],
  [/\s+/g, ' '],
];

function replaceBracketed(found: string): string {
  const [address = ''] = found.slice(1).split(/[\]%]/);
  return isIPv6(address) ? '<address>' : found;
}

/** A text of hexadecimal digits and colons may be something else, such as `a:b`. A colon at its end is punctuation. */
function replaceIpv6(found: string): string {
  const trimmed = found.replace(/(?<=[^:])[:.]$/, '');
  const [address = ''] = trimmed.split(/[%/]/);
  return isIPv6(address) ? `<address>${found.slice(trimmed.length)}` : found;
}

/**
 * The reason of a failure without what differs from child to child: `exit code 1: dial tcp 10.0.0.7:443: i/o timeout
 * after 3.2s` becomes `exit code 1: dial tcp <address>: i/o timeout after <duration>`. Texts that are normalised again
 * stay as they are.
 * @param message as the subjob has it: one line, at most some hundred characters
 * @param item the line that the child works on, if it takes one; a text that ends with `…` is its beginning
 */
export function normalizeReason(message: string, item: string | null = null): string {
  const prefix = PREFIX.exec(message)?.[0] ?? '';
  const text = normalizeText(replaceItem(message.slice(prefix.length), item));
  const reason = `${prefix}${text}`.trim();
  return reason.length > MAX_CHARACTERS ? reason.slice(0, MAX_CHARACTERS).toWellFormed() : reason;
}

function normalizeText(text: string): string {
  return REPLACEMENTS.reduce(
    (changed, [pattern, by]) =>
      typeof by === 'string' ? changed.replace(pattern, by) : changed.replace(pattern, (found) => by(found)),
    text,
  );
}

/**
 * Replaces the child's own item where it is a whole word. An item such as `10.0.0.7` is left to the forms above: another
 * child's message may contain such a text that is not its item, and both must give the same reason.
 */
function replaceItem(text: string, item: string | null): string {
  const isCut = item?.endsWith('…') === true;
  const known = (isCut ? item.slice(0, -1) : item)?.trim() ?? '';
  if (known === '' || !text.includes(known) || /^<\w+>$/.test(normalizeText(known))) return text;
  const rest = isCut ? '\\S*' : '(?![\\p{L}\\p{N}])';
  const literal = known.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal}${rest}`, 'gu'), '<item>');
}
