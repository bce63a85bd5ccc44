import { createStore, type Store } from './create-store.js';

/**
 * A setting of this browser, such as the width of a panel. It is stored in `localStorage`, and follows changes of other tabs.
 * @param parse reads the stored value; returns undefined if it is not valid
 */
export function createStoredValue<T>(key: string, fallback: T, parse: (value: unknown) => T | undefined): Store<T> {
  const name = `millrace.${key}`;
  const store = createStore(read(name, parse) ?? fallback);
  addEventListener('storage', (event) => {
    if (event.key === name) store.set(read(name, parse) ?? fallback);
  });
  return {
    ...store,
    set: (value) => {
      store.set(value);
      write(name, value);
    },
  };
}

function read<T>(name: string, parse: (value: unknown) => T | undefined): T | undefined {
  try {
    const text = localStorage.getItem(name);
    return text === null ? undefined : parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** If the storage is full or disabled, the setting lasts as long as the page. */
function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The value is in memory.
  }
}
