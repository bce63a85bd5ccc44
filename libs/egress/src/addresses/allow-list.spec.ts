import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AllowList, isPublicAddress } from './allow-list.js';

it.each([
  ['', '127.0.0.1', 'localhost', false],
  ['*', '127.0.0.1', 'localhost', true],
  ['localhost', '127.0.0.1', 'LOCALHOST.', true],
  ['localhost', '127.0.0.1', 'evil.example.org', false],
  ['10.1.0.0/16', '10.1.2.3', 'files.internal', true],
  ['10.1.0.0/16', '10.2.2.3', 'files.internal', false],
  ['10.1.0.0/16', '::ffff:10.1.2.3', 'files.internal', true],
  ['10.1.2.3, fd00::/8', 'fd12::1', 'x', true],
  ['10.1.2.3', '10.1.2.4', 'x', false],
  ['files.internal', '10.0.0.1', 'sub.files.internal', false],
])('AllowList "%s" on address %s of host %s returns %p', (text, address, host, expected) => {
  expect(AllowList.read(text).allows(address, host)).toBe(expected);
});

it.each(['10.0.0.0/40', 'a b', 'http://x', '*.example.org'])('AllowList rejects the entry %s', (entry) => {
  expect(() => AllowList.read(`localhost,${entry}`)).toThrow(entry);
});

const octet = fc.nat(255);
const dotted = (first: number[]) =>
  fc.tuple(octet, octet, octet, octet).map((rest) => [...first, ...rest].slice(0, 4).join('.'));
/** Addresses of networks that are unreachable from outside (RFC 6890), by their first octets. */
const inner = fc.oneof(
  dotted([127]),
  dotted([10]),
  dotted([0]),
  dotted([192, 168]),
  dotted([169, 254]),
  fc.constant('169.254.169.254'),
  fc.integer({ min: 16, max: 31 }).chain((second) => dotted([172, second])),
  fc.integer({ min: 64, max: 127 }).chain((second) => dotted([100, second])),
  fc.integer({ min: 224, max: 255 }).chain((first) => dotted([first])),
);
const hex = (ipv4: string): string => {
  const [a, b, c, d] = ipv4.split('.').map(Number) as [number, number, number, number];
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};
const SPELLINGS: [string, (ipv4: string) => string][] = [
  ['unmodified', (ipv4) => ipv4],
  ['mapped', (ipv4) => `::ffff:${ipv4}`],
  ['mapped, in hexadecimal', (ipv4) => `::ffff:${hex(ipv4)}`],
  ['mapped, at length', (ipv4) => `0:0:0:0:0:FFFF:${hex(ipv4)}`],
  ['translated (RFC 6145)', (ipv4) => `::ffff:0:${hex(ipv4)}`],
  ['compatible', (ipv4) => `::${hex(ipv4)}`],
  ['behind NAT64', (ipv4) => `64:ff9b::${hex(ipv4)}`],
  ['behind the NAT64 of a local network', (ipv4) => `64:ff9b:1::${hex(ipv4)}`],
  ['in 6to4', (ipv4) => `2002:${hex(ipv4)}::1`],
  ['in Teredo, as its server', (ipv4) => `2001:0:${hex(ipv4)}::1`],
  ['in ISATAP of a local network', (ipv4) => `fe80::5efe:${hex(ipv4)}`],
];

describe('isPublicAddress rejects an inner IPv4 address', () => {
  it.each(SPELLINGS)('%s', (_name, spell) => {
    fc.assert(fc.property(inner, (ipv4) => expect(isPublicAddress(spell(ipv4))).toBe(false)));
  });
});

it.each(['::', '::1', 'fe80::1', 'fc00::1', 'fd12:3456::1', 'ff02::1', 'fec0::1', '2001:db8::1', '100::1', '3fff::1'])(
  'isPublicAddress rejects %s',
  (address) => expect(isPublicAddress(address)).toBe(false),
);

it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::101:101'])(
  'isPublicAddress accepts %s',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it('isPublicAddress rejects a text that is not an address', () => {
  fc.assert(
    fc.property(fc.string(), (text) => fc.pre(!/^[\d.]+$|:/.test(text)) ?? expect(isPublicAddress(text)).toBe(false)),
  );
  for (const odd of ['127.1', '2130706433', '0x7f.1', '1.1.1', 'fe80::1%lo', ''])
    expect(isPublicAddress(odd)).toBe(false);
});
