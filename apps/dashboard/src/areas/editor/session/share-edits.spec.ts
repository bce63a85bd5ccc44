import { expect, it } from '@jest/globals';
import { readDocument, writeData } from '../document/document.js';
import { updateNode } from '../edits/node-edits.js';
import { EditorSession } from './editor-session.js';
import { shareEdits, type TabChannel } from './share-edits.js';

const data = { nodes: { 'a-1': { type: 'SCRIPT' }, 'b-1': { type: 'SCRIPT' } } };
const base = (number = 1) => ({ versionId: `v${number}`, number, document: readDocument(data) });

/** Channels whose messages arrive, as copies, when `deliver` is called. */
function connectTabs() {
  const tabs: ((event: MessageEvent) => void)[] = [];
  let sent: { from: unknown; message: unknown }[] = [];
  const open = (): TabChannel => {
    let own: ((event: MessageEvent) => void) | undefined;
    return {
      postMessage: (message) => sent.push({ from: own, message: structuredClone(message) }),
      addEventListener: (_type: string, listener: unknown) => {
        own = listener as (event: MessageEvent) => void;
        tabs.push(own);
      },
      close: () => undefined,
    };
  };
  const deliver = () => {
    while (sent.length > 0) {
      const batch = sent;
      sent = [];
      for (const { from, message } of batch)
        for (const tab of tabs) if (tab !== from) tab({ data: message } as MessageEvent);
    }
  };
  return { open, deliver };
}

const retry = (session: EditorSession, node: string, retries: number) =>
  session.edit(
    updateNode(session.document.get(), node, (old) => ({ ...old, retries })),
    'Edit',
    `${node} retries`,
  );
const retriesOf = ({ document }: EditorSession) =>
  Object.fromEntries(Object.entries(document.get().nodes).map(([id, { retries }]) => [id, retries]));

function openTwo(second = base()) {
  const bus = connectTabs();
  const tabs = [new EditorSession(base()), new EditorSession(second)] as const;
  const open = (at: 0 | 1) => {
    shareEdits(tabs[at], bus.open(), `tab ${at}`);
    bus.deliver();
  };
  return { ...bus, first: tabs[0], second: tabs[1], open };
}

it('a tab that opens gets the edits of the other, with what can be undone', () => {
  const { first, second, open, deliver } = openTwo();
  open(0);
  retry(first, 'a-1', 5);
  open(1);
  expect(retriesOf(second)).toEqual({ 'a-1': 5, 'b-1': undefined });
  retry(second, 'b-1', 2);
  second.undo();
  second.undo();
  deliver();
  expect(retriesOf(first)).toEqual({ 'a-1': undefined, 'b-1': undefined });
  first.redo();
  deliver();
  expect(retriesOf(second)).toEqual({ 'a-1': 5, 'b-1': undefined });
});

it('edits of two tabs at the same moment are both kept, and the tabs are equal afterwards', () => {
  const { first, second, open, deliver } = openTwo();
  open(0);
  open(1);
  retry(first, 'a-1', 1);
  retry(second, 'b-1', 2);
  retry(first, 'a-1', 3);
  deliver();
  expect(retriesOf(first)).toEqual({ 'a-1': 3, 'b-1': 2 });
  expect(writeData(second.document.get())).toEqual(writeData(first.document.get()));
  expect(second.history.get()).toEqual(first.history.get());
  retry(second, 'a-1', 9);
  deliver();
  expect(retriesOf(first)).toEqual({ 'a-1': 9, 'b-1': 2 });
});

it('a tab without edits continues with the newer version that another one has opened', () => {
  const { first, open } = openTwo(base(2));
  open(0);
  open(1);
  expect(first.base.get().number).toBe(2);
});

it('a saved version is the base of all tabs, and none has edits then', () => {
  const { first, second, open, deliver } = openTwo();
  open(0);
  open(1);
  retry(first, 'a-1', 1);
  first.rebase({ versionId: 'v2', number: 2, document: first.document.get() });
  deliver();
  const { number, document } = second.base.get();
  expect(number).toBe(2);
  expect(document.nodes['a-1']).toBe(second.document.get().nodes['a-1']);
});
