import { createHash } from 'node:crypto';

/** A random card number. Its check digit is correct (Luhn) unless `isWrong` is set. */
export function inventCardNumber(prefix: string, length: number, { isWrong = false } = {}): string {
  const random = () => String(Math.floor(Math.random() * 10));
  const body = prefix + Array.from({ length: length - prefix.length - 1 }, random).join('');
  const sum = [...body].reverse().reduce((total, digit, index) => total + luhn(Number(digit), index), 0);
  const check = (10 - (sum % 10)) % 10;
  return `${body}${isWrong ? (check + 1) % 10 : check}`;
}

/** Every second digit from the right counts twice, starting next to the check digit (ISO/IEC 7812-1, annex B). */
const luhn = (digit: number, index: number): number => {
  const weighted = index % 2 === 0 ? digit * 2 : digit;
  return weighted > 9 ? weighted - 9 : weighted;
};

/** A card number in all spellings in which it might be stored, including hashes without a key. */
export function spellingsOf(number: string): Buffer[] {
  const grouped = [' ', '-', '+', '%20', '\\u0020'].flatMap((separator) => [
    number.match(/.{1,4}/g)?.join(separator) ?? '',
    number.replace(/^(.{4})(.{6})/, `$1${separator}$2${separator}`),
  ]);
  const escaped = [...number].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('');
  const texts = [number, ...grouped, escaped, escaped.toUpperCase().replaceAll('\\U', '\\u'), ...base64sOf(number)];
  const hex = Buffer.from(number).toString('hex');
  const digests = ['md5', 'sha1', 'sha256', 'sha512'].map((name) => createHash(name).update(number).digest());
  return [
    ...[...texts, hex, hex.toUpperCase()].map((text) => Buffer.from(text)),
    ...digests,
    ...digests.flatMap((digest) =>
      [digest.toString('hex'), digest.toString('base64')].map((text) => Buffer.from(text)),
    ),
  ];
}

/** The base64 of a text depends on the offset of the number in it. Returns the constant part for each of the three offsets. */
const base64sOf = (number: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + number).toString('base64');
    const whole = Math.floor((offset + number.length) / 3) * 4;
    return encoded.slice(offset === 0 ? 0 : 4, whole);
  });

/** Matches a card code only after its name, because four digits alone occur everywhere. */
export const codePattern = (code: string): RegExp => new RegExp(`(?:cvc|cvv|code)[^0-9]{0,24}${code}(?![0-9])`, 'i');
