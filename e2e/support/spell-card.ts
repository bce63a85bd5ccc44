import { createHash } from 'node:crypto';

/** A card whose number nobody else has, right by Luhn's rule unless it is to be wrong. */
export function inventNumber(prefix: string, length: number, { isWrong = false } = {}): string {
  const random = () => String(Math.floor(Math.random() * 10));
  const body = prefix + Array.from({ length: length - prefix.length - 1 }, random).join('');
  const sum = [...body].reverse().reduce((total, digit, at) => total + luhn(Number(digit), at), 0);
  const check = (10 - (sum % 10)) % 10;
  return `${body}${isWrong ? (check + 1) % 10 : check}`;
}

/** Every second digit from the right counts twice, beginning beside the check digit (ISO/IEC 7812-1, annex B). */
const luhn = (digit: number, at: number): number => {
  const counted = at % 2 === 0 ? digit * 2 : digit;
  return counted > 9 ? counted - 9 : counted;
};

/** A card's number in the spellings in which it might lie somewhere, hashes that need no key among them. */
export function spellingsOf(number: string): Buffer[] {
  const grouped = [' ', '-', '+', '%20', '\\u0020'].flatMap((between) => [
    number.match(/.{1,4}/g)?.join(between) ?? '',
    number.replace(/^(.{4})(.{6})/, `$1${between}$2${between}`),
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

/** Base64 of something with the number inside looks different by where it begins: the part that is the same for each of three. */
const base64sOf = (number: string): string[] =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + number).toString('base64');
    const whole = Math.floor((before + number.length) / 3) * 4;
    return encoded.slice(before === 0 ? 0 : 4, whole);
  });

/** The code where it says that it is one: four digits by themselves stand everywhere. */
export const saysCode = (code: string): RegExp => new RegExp(`(?:cvc|cvv|code)[^0-9]{0,24}${code}(?![0-9])`, 'i');
