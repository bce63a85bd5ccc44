import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** Finds the addresses of a name in the text of a hosts file (hosts(5)), in order. */
export function findInHosts(text: string, host: string): LookupAddress[] {
  const searchedName = host.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((name) => name.toLowerCase() === searchedName) ? [{ address, family }] : [];
  });
}
