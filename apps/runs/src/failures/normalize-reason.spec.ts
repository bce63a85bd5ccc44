import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeReason } from './normalize-reason.js';

describe('normalizeReason', () => {
  it.each([
    [
      'exit code 1: dial tcp 10.0.0.7:443: i/o timeout after 3.2s',
      'exit code 1: dial tcp <address>: i/o timeout after <duration>',
    ],
    ['exit code 1: dial tcp [2001:db8::1]:443: connect: refused', 'exit code 1: dial tcp <address>: connect: refused'],
    ['exit code 1: fe80::1%eth0: refused', 'exit code 1: <address>: refused'],
    ['exit code 1: lookup a.example.com:53: no such host', 'exit code 1: lookup <host>: no such host'],
    ['exit code 1: a.example.com.: NXDOMAIN', 'exit code 1: <host>: NXDOMAIN'],
    ['exit code 1: GET https://a.b/c?d=1: 503, giving up', 'exit code 1: GET <url>: <number>, giving up'],
    ['exit code 1: id 0197a2c0-1111-7aaa-9f10-1a2b3c4d5e6f', 'exit code 1: id <uuid>'],
    ['exit code 1: 2026-11-24T02:35:39.123Z ERROR x', 'exit code 1: <time> ERROR x'],
    ['exit code 1: [Tue, 24 Nov 2026 02:35:39 GMT] x', 'exit code 1: [<time>] x'],
    ['exit code 1: took 1m3.2s, 12ms', 'exit code 1: took <duration>, <duration>'],
    ['exit code 2: /tmp/a/b.txt: No such file', 'exit code 2: <path>: No such file'],
    ['exit code 2: in/lines-1/output.txt: bad', 'exit code 2: <path>: bad'],
    ["exit code 1: KeyError: 'name'", 'exit code 1: KeyError: <text>'],
    ['exit code 1: File "x.py", line 3', 'exit code 1: File <text>, line <number>'],
    ['exit code 1: object deadbeef12 at 0xff', 'exit code 1: object <hex> at <hex>'],
    ['exit code 1: \u005b31mred\u005b0m 5', 'exit code 1: red <number>'],
    ['out of memory: the step used more than 512 MiB', 'out of memory: the step used more than <size>'],
  ])('replaces what differs from child to child in "%s"', (message, reason) => {
    expect(normalizeReason(message)).toBe(reason);
  });

  it.each([
    'exit code 4: no such host',
    'ended by SIGSEGV',
    "exit code 1: can't open it",
    'exit code 1: and/or I/O error over TCP/IP',
    'exit code 1: socket.timeout: timed out',
    'exit code 1: java.lang.NullPointerException: std::bad_alloc',
    'exit code 1: requests.exceptions.ConnectionError',
    'exit code 1: status code 403',
    'exit code 1: [Errno 111] Connection refused',
    'exit code 22: The requested URL returned error: 404',
  ])('keeps what tells one reason from another in "%s"', (message) => {
    expect(normalizeReason(message)).toBe(message);
  });

  it("replaces the child's own item, and leaves items with a form of their own to that form", () => {
    expect(normalizeReason('exit code 1: cannot find alpha', 'alpha')).toBe('exit code 1: cannot find <item>');
    expect(normalizeReason('exit code 1: alphabet', 'alpha')).toBe('exit code 1: alphabet');
    expect(normalizeReason('exit code 1: port 443 closed', '443')).toBe('exit code 1: port <number> closed');
    expect(normalizeReason('exit code 1: (a.*+?[x', 'a.*+?[x')).toBe('exit code 1: (<item>');
    const long = 'word '.repeat(40).trim();
    expect(normalizeReason(`exit code 1: bad ${long}rest`, `${long}…`)).toBe('exit code 1: bad <item>');
  });

  it('does not name the worker that was lost', () => {
    const lost = (worker: string, second: number) =>
      `The worker that ran this step (${worker}) stopped sending heartbeats at 2026-01-01T00:00:0${second}.000Z; it was lost 4 times while this step ran`;
    expect(normalizeReason(lost('w-1, host a', 1))).toBe(normalizeReason(lost('x, host b.example.org', 2)));
  });

  const digits = fc.nat({ max: 255 });
  const host = fc
    .array(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), { minLength: 1, maxLength: 3 })
    .map((labels) => `${labels.join('.')}.example.com`);
  const slots = fc.record({
    address: fc.tuple(digits, digits, digits, digits).map((parts) => parts.join('.')),
    ipv6: fc.ipV6().filter((text) => !text.includes('.')),
    host,
    uuid: fc.uuid(),
    seconds: fc.nat({ max: 100_000 }).map((n) => `${n / 100}s`),
    number: fc.nat({ max: 10_000 }),
    path: fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/), { minLength: 1, maxLength: 4 }),
    quoted: fc.stringMatching(/^[A-Za-z0-9 .,:/-]{0,12}$/),
    time: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  });
  type Slots = typeof slots extends fc.Arbitrary<infer Value> ? Value : never;
  const templates: readonly ((slot: Slots) => string)[] = [
    ({ address, seconds }) => `dial tcp ${address}:443: i/o timeout after ${seconds}`,
    ({ ipv6, number }) => `connect to [${ipv6}]:443 failed, attempt ${number}`,
    ({ host: name, number }) => `lookup ${name}:53 failed (${number} answers)`,
    ({ quoted, path }) => `cannot read "${quoted}" from /${path.join('/')}: denied`,
    ({ uuid, time }) => `${time.toISOString()} WARN request ${uuid} was refused`,
    ({ host: name, path, number }) => `GET https://${name}/${path.join('/')}?page=${number}: giving up`,
  ];

  it('gives all children that fail in the same way the same reason', () => {
    fc.assert(
      fc.property(fc.constantFrom(...templates), slots, slots, fc.nat(255), (template, a, b, code) => {
        const [one, other] = [a, b].map((slot) => normalizeReason(`exit code ${code}: ${template(slot)}`));
        expect(one).toBe(other);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives different reasons for different exit codes', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.nat(255), (a, b) => {
        expect(normalizeReason(`exit code ${a}: x`) === normalizeReason(`exit code ${b}: x`)).toBe(a === b);
      }),
    );
  });

  it('returns a short, well-formed text for any message and item', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.stringMatching(/^[-:./\w'"[\]<>@%~ ]{0,300}$/),
    );
    fc.assert(
      fc.property(text, fc.option(text), (message, item) => {
        const reason = normalizeReason(message, item);
        expect(reason.length).toBeLessThanOrEqual(400);
        expect(reason.isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
