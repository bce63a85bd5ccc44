/** Text of a log with one look. */
export interface Span {
  text: string;
  /** Classes of the design; empty for the default look. */
  className: string;
}

interface Style {
  color?: string;
  background?: string;
  isBold?: boolean;
  isDim?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
}

/**
 * The colours of the design in place of the eight of terminals, because these have a contrast of 4.5 : 1 in both themes.
 * In the order of the codes: black, red, green, yellow, blue, magenta, cyan, white.
 */
const COLORS = [
  'text-muted',
  'text-failed',
  'text-succeeded',
  'text-stopped',
  'text-running',
  'text-accent-ink',
  'text-running',
  '',
];
const BACKGROUNDS = [
  'bg-pressed',
  'bg-failed-soft',
  'bg-succeeded-soft',
  'bg-stopped-soft',
  'bg-running-soft',
  'bg-accent-soft',
  'bg-running-soft',
  'bg-pressed',
];

/** CSI sequences, OSC sequences (titles, links), and other escapes of two characters. */

const ESCAPES =
  /\u001b(?:\[([0-9;:]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_0-9=>])?/g;

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Parses one line of a log. Sequences other than looks are removed, and other control characters become visible. */
export function parseAnsi(line: string): Span[] {
  const spans: Span[] = [];
  let style: Style = {};
  let from = 0;
  const shown = lastRewrite(line);
  const add = (text: string) => {
    if (text === '') return;
    const className = classOf(style);
    const previous = spans.at(-1);
    if (previous?.className === className) previous.text += text;
    else spans.push({ text, className });
  };
  for (const match of shown.matchAll(ESCAPES)) {
    add(showControls(shown.slice(from, match.index)));
    from = match.index + match[0].length;
    if (match[2] === 'm') style = applyCodes(style, match[1] ?? '');
  }
  add(showControls(shown.slice(from)));
  return spans;
}

/** A progress bar writes its line again and again after a carriage return; a terminal shows what it wrote last. */
function lastRewrite(line: string): string {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** U+2400 to U+241F are pictures of the control characters. */
const showControls = (text: string): string =>
  text.replaceAll(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? '\u2421' : '\ufffd';
  });

const classOf = ({ color, background, isBold, isDim, isItalic, isUnderlined }: Style): string =>
  [
    isDim && (color === undefined || color === '') ? 'text-muted' : color,
    background,
    isBold && 'font-bold',
    isItalic && 'italic',
    isUnderlined && 'underline',
  ]
    .filter(Boolean)
    .join(' ');

function applyCodes(style: Style, text: string): Style {
  const codes = text.split(/[;:]/).map(Number);
  let next = { ...style };
  for (let place = 0; place < codes.length; place++) {
    const code = codes[place] ?? 0;
    if (code === 38 || code === 48) {
      const { index, length } = readExtended(codes.slice(place + 1));
      place += length;
      if (index !== undefined && code === 38) next.color = COLORS[index] ?? '';
      if (index !== undefined && code === 48) next.background = BACKGROUNDS[index] ?? '';
    } else next = applyCode(next, code);
  }
  return next;
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 23) return { ...style, isItalic: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code >= 30 && code <= 37) return { ...style, color: COLORS[code - 30] ?? '' };
  if (code >= 90 && code <= 97) return { ...style, color: COLORS[code - 90] ?? '' };
  if (code === 39) return { ...style, color: '' };
  if (code >= 40 && code <= 47) return { ...style, background: BACKGROUNDS[code - 40] ?? '' };
  if (code >= 100 && code <= 107) return { ...style, background: BACKGROUNDS[code - 100] ?? '' };
  if (code === 49) return { ...style, background: '' };
  return style;
}

/** Colours by number (`5;n`) or by red, green and blue (`2;r;g;b`), as the nearest of the eight. */
function readExtended(codes: readonly number[]): { index?: number; length: number } {
  const [kind, first = 0, green = 0, blue = 0] = codes;
  if (kind === 5) return { index: nearestOf(paletteColor(first)), length: 2 };
  if (kind === 2) return { index: nearestOf([first, green, blue]), length: 4 };
  return { length: 0 };
}

type Rgb = [red: number, green: number, blue: number];

function paletteColor(number: number): Rgb {
  if (number < 16) {
    const bit = (place: number) => ((number >> place) & 1) * 255;
    return [bit(0), bit(1), bit(2)];
  }
  if (number >= 232) {
    const grey = (number - 232) * 10 + 8;
    return [grey, grey, grey];
  }
  const cube = (step: number) => (step === 0 ? 0 : step * 40 + 55);
  const place = number - 16;
  return [cube(Math.floor(place / 36)), cube(Math.floor(place / 6) % 6), cube(place % 6)];
}

/** A channel is on if it is near the brightest one. Greys are black or white. */
function nearestOf(color: Rgb): number {
  const [lowest, highest] = [Math.min(...color), Math.max(...color)];
  if (highest - lowest < 40) return highest < 110 ? 0 : 7;
  const middle = (lowest + highest) / 2;
  const bits: number[] = color.map((channel, place) => (channel > middle ? 1 << place : 0));
  return bits.reduce((sum, bit) => sum + bit, 0);
}
