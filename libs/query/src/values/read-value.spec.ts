import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readBigint, readNumber } from '../parse/read-number.js';
import { compareInet, containsInet } from '../testing/compare-inet.js';
import { formatInet, readInet } from './inet.js';
import { formatMoment, readMoment } from './moment.js';

const NOW = new Date('2026-06-15T12:00:00Z');
const moment = (text: string): string | null => {
  const found = readMoment(text, NOW);
  return found === null ? null : formatMoment(found);
};

describe('readMoment', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31 12:30:45', '2026-01-31T12:30:45.000Z'],
    ['2026-01-31t12:30:45.5z', '2026-01-31T12:30:45.500Z'],
    ['2026-01-31T12:30:45.123456789+02:00', '2026-01-31T10:30:45.123456Z'],
    ['2026-01-31T23:30:00-0130', '2026-02-01T01:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    ['now', '2026-06-15T12:00:00.000Z'],
    ['NOW-7D', '2026-06-08T12:00:00.000Z'],
    ['now+1h', '2026-06-15T13:00:00.000Z'],
    ['now-90s', '2026-06-15T11:58:30.000Z'],
    ['now-15m', '2026-06-15T11:45:00.000Z'],
    ['now-2w', '2026-06-01T12:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(moment(text)).toBe(expected);
  });

  it.each([
    ...[
      '',
      'yesterday',
      '2026',
      '2026-13-01',
      '2023-02-29',
      '2026-01-31T24:00',
      '2026-01-31T12:60',
      '2026-01-31T12:00:61',
    ],
    ...[
      '2026-01-31T12:00+24:00',
      '0000-01-01',
      '0001-01-01T00:00+01:00',
      '9999-12-31T23:59:59.5-01:00',
      'now-',
      'now-7',
    ],
    ...['now-7y', 'now - 7d', 'now-999999999w', '2026-01-31T12', '10000-01-01', '2026-01-31Z'],
  ])('rejects "%s"', (text) => {
    expect(moment(text)).toBeNull();
  });

  it('reads every formatted moment', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }), (microseconds) => {
        expect(readMoment(formatMoment(microseconds), NOW)).toBe(microseconds);
      }),
    );
  });
});

describe('readNumber', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['+5', '5'],
    ['007', '7'],
    ['1e6', '1000000'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e-7', '0.0000001'],
    ['12345678901234567890123', '12345678901234567890123'],
    ['1e21', '1000000000000000000000'],
  ])('reads %s', (text, expected) => {
    expect(readNumber(text)).toBe(expected);
  });

  it.each([
    '',
    '.',
    '-',
    'e5',
    '1e',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '1e309',
    '1e99999',
    '1 ',
    '٣',
    '9'.repeat(401),
  ])('rejects "%s"', (text) => {
    expect(readNumber(text)).toBeNull();
  });

  it.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', null],
    ['1.5', null],
    ['1.0', 1n],
  ])('and readBigint accept %s only if it is a whole number of 64 bits', (text, expected) => {
    expect(readBigint(text)).toBe(expected);
  });
});

describe('readInet', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['::1/128', '0:0:0:0:0:0:0:1'],
    ['2001:DB8::/32', '2001:db8:0:0:0:0:0:0/32'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::ffff:1.2.3.4', '0:0:0:0:0:ffff:102:304'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['1::8', '1:0:0:0:0:0:0:8'],
    ['010.001.0.08', '10.1.0.8'],
    ['::ffff:010.0.0.1', '0:0:0:0:0:ffff:a00:1'],
  ])('reads %s', (text, expected) => {
    const found = readInet(text);
    expect(found === null ? null : formatInet(found)).toBe(expected);
  });

  it.each([
    ...[
      '',
      '10',
      '10.0.0',
      '10.0.0.256',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '1.2.3.4.5',
      ':',
      ':::',
    ],
    ...[
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '1:2:3:4:5:6:7::8',
      '12345::',
      'g::',
      '::1/129',
      'fe80::1%eth0',
    ],
    ...['1.2', '0x7f.0.0.1', '2130706433', '1:2:3:4::5:6:7:8', '::00001', '::1%1', '[::1]'],
    ...['1.2.3.4::', '::1.2.3.4:5', '1:2:3:4:5:6:7:1.2.3.4', '/8', ':1', '1:'],
  ])('rejects "%s"', (text) => {
    expect(readInet(text)).toBeNull();
  });

  it('returns networks that contain an address, but not the reverse unless they are equal', () => {
    const inet = fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, bits]) => readInet(`${ip}/${bits}`)!);
    fc.assert(
      fc.property(inet, fc.nat(32), (one, bits) => {
        const wider = { ...one, bits: Math.min(bits, one.bits) };
        expect(containsInet(wider, one)).toBe(true);
        expect(containsInet(one, wider)).toBe(wider.bits === one.bits);
        expect(compareInet(one, one)).toBe(0);
        expect(Math.sign(compareInet(wider, one))).toBe(wider.bits === one.bits ? 0 : -1);
      }),
    );
  });
});
