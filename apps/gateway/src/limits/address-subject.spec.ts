import { expect, it } from '@jest/globals';
import { addressSubject } from './address-subject.js';

it.each([
  ['192.0.2.7', 'address 192.0.2.7'],
  ['::ffff:192.0.2.7', 'address 192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2'],
  ['2001:DB8:1:2::1', 'address 2001:db8:1:2'],
  ['2001:db8::1', 'address 2001:db8:0:0'],
  ['2001:db8:1::', 'address 2001:db8:1:0'],
  ['fe80::1%eth0', 'address fe80:0:0:0'],
  ['::1', 'address 0:0:0:0'],
])('%s is limited as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});
