import { findContacts } from '@millrace/contracts/auth/contacts';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { FakeService } from '@millrace/testkit/fake-service';

export interface PlayedContacts {
  /** From now on `caller` is reached at this address, with the roles that they have by then. */
  add(caller: Caller, name?: string): string;
  /** They have left. */
  remove(caller: Caller): void;
  /** How often auth was asked. */
  asked(): number;
  /** What auth answers with instead, as long as it is set. */
  fail: Error | null;
}

/** The auth service, as far as it knows where people are reached. */
export function playContacts(auth: FakeService): PlayedContacts {
  const people = new Map<string, { caller: Caller; email: string; name: string }>();
  let asked = 0;
  const played: PlayedContacts = {
    add: (caller, name = 'Somebody') => {
      const email = `u-${caller.user}@example.org`;
      people.set(caller.user, { caller, email, name });
      return email;
    },
    remove: ({ user }) => void people.delete(user),
    asked: () => asked,
    fail: null,
  };
  auth.on(findContacts, ({ body }) => {
    asked += 1;
    if (played.fail) throw played.fail;
    const { vault, users } = findContacts.body.parse(body);
    const found = users.flatMap((user) => people.get(user) ?? []).filter(({ caller }) => caller.vault === vault);
    return {
      contacts: found.map(({ caller, email, name }) => ({ user: caller.user, email, name, spaces: caller.spaces })),
    };
  });
  return played;
}
