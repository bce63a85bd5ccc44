import { findContacts } from '@millrace/contracts/auth/contacts';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { FakeService } from '@millrace/testkit/fake-service';

export interface FakeContacts {
  /** Adds a user with the caller's current roles. @returns their address */
  add(caller: Caller, name?: string): string;
  /** Removes a user, as if they had left the vault. */
  remove(caller: Caller): void;
  /** Number of requests to auth. */
  requests(): number;
  /** While set, every request fails with this error. */
  error: Error | null;
}

/** Fakes the contacts of the auth service. */
export function fakeContacts(auth: FakeService): FakeContacts {
  const people = new Map<string, { caller: Caller; email: string; name: string }>();
  let requests = 0;
  const fake: FakeContacts = {
    add: (caller, name = 'Member') => {
      const email = `u-${caller.user}@example.org`;
      people.set(caller.user, { caller, email, name });
      return email;
    },
    remove: ({ user }) => void people.delete(user),
    requests: () => requests,
    error: null,
  };
  auth.on(findContacts, ({ body }) => {
    requests += 1;
    if (fake.error) throw fake.error;
    const { vault, users } = findContacts.body.parse(body);
    const found = users.flatMap((user) => people.get(user) ?? []).filter(({ caller }) => caller.vault === vault);
    return {
      contacts: found.map(({ caller, email, name }) => ({ user: caller.user, email, name, spaces: caller.spaces })),
    };
  });
  return fake;
}
