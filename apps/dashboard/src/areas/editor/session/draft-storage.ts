/** Edits that are not saved as a version. */
export interface Draft {
  /** The version that they started from; absent for a workflow without a version. */
  baseVersion?: string;
  data: Record<string, unknown>;
  savedAt: string;
}

const DATABASE = 'millrace';
const STORE = 'workflow-drafts';

/** One draft for each user and workflow. `localStorage` has 5 MB for all, and a workflow may have 10 MB. */
export const draftKey = (user: string, workflow: string): string => `${user}/${workflow}`;

export const readDraft = async (key: string): Promise<Draft | undefined> => {
  const draft: unknown = await request('readonly', (store) => store.get(key));
  return isDraft(draft) ? draft : undefined;
};

export const writeDraft = (key: string, draft: Draft): Promise<unknown> =>
  request('readwrite', (store) => store.put(draft, key));

export const deleteDraft = (key: string): Promise<unknown> => request('readwrite', (store) => store.delete(key));

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Draft>).data === 'object';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () =>
      reject(opening.error ?? new Error('The drafts of this browser are not available.')),
    );
  });
  return opened;
}

async function request<T>(mode: IDBTransactionMode, call: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const made = call(database.transaction(STORE, mode).objectStore(STORE));
    made.addEventListener('success', () => resolve(made.result));
    made.addEventListener('error', () => reject(made.error ?? new Error('The draft could not be stored.')));
  });
}
