import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  currentCompletions,
  moveCompletionSelection,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { createSources, type QueryHelp } from './complete-query.js';
import { QUERY_THEME, queryColours, queryError, setQueryError } from './query-extensions.js';

export interface QueryEditorProps {
  value: string;
  onChange: (value: string) => void;
  onApply: (value: string) => void;
  help: QueryHelp;
  /** Where the query has an error. */
  errorAt: number | undefined;
  describedBy: string | undefined;
}

/** The text of a query, in a shadow root: the policy of the page allows CodeMirror no style element elsewhere. */
export function QueryEditor(props: QueryEditorProps) {
  const { value, errorAt, describedBy } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: latest.current.value, extensions: extensions(latest) }),
    });
    editor.current = view;
    return () => {
      view.destroy();
      editor.current = null;
    };
  }, []);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      selection: { anchor: value.length },
    });
  }, [value]);
  useEffect(() => {
    editor.current?.dispatch({
      effects: [
        setQueryError.of(errorAt),
        attributes.reconfigure(contentAttributes(errorAt !== undefined, describedBy)),
      ],
    });
  }, [errorAt, describedBy]);

  return <div ref={host} data-query-editor className="min-w-0 flex-1" />;
}

const attributes = new Compartment();

const contentAttributes = (isInvalid: boolean, describedBy: string | undefined) =>
  EditorView.contentAttributes.of({
    // Axe does not take editable content for focusable.
    tabindex: '0',
    'aria-label': 'Query',
    'aria-multiline': 'false',
    spellcheck: 'false',
    ...(isInvalid && { 'aria-invalid': 'true' }),
    // A shadow root has no ids of the page.
    ...(describedBy !== undefined && { 'aria-description': describedBy }),
  });

function extensions(latest: { current: QueryEditorProps }) {
  const apply = (view: EditorView): boolean => {
    closeCompletion(view);
    latest.current.onApply(view.state.doc.toString());
    return true;
  };
  return [
    history(),
    closeBrackets(),
    autocompletion({
      override: createSources(() => latest.current.help),
      icons: false,
      selectOnOpen: false,
      activateOnTypingDelay: 60,
      // Tab and Enter do what the eye has seen, however fast they follow.
      interactionDelay: 0,
    }),
    Prec.highest(keymap.of([{ key: 'Tab', run: acceptFirst }])),
    keymap.of([
      ...completionKeymap,
      { key: 'Enter', run: apply },
      ...closeBracketsKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorState.transactionFilter.of((transaction) =>
      transaction.newDoc.lines > 1
        ? [transaction, { changes: joinLines(transaction.newDoc.toString()), sequential: true }]
        : transaction,
    ),
    EditorView.lineWrapping,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onChange(update.state.doc.toString());
    }),
    placeholder('Filter rows, for example: port = 443 AND host LIKE "%.example.com"'),
    attributes.of(contentAttributes(false, undefined)),
    queryColours,
    queryError,
    QUERY_THEME,
  ];
}

/** A query is one line. */
const joinLines = (text: string) =>
  [...text.matchAll(/\n/g)].map(({ index }) => ({ from: index, to: index + 1, insert: ' ' }));

/** Tab takes the selected suggestion, or the first one. */
function acceptFirst(view: EditorView): boolean {
  if (completionStatus(view.state) === null || currentCompletions(view.state).length === 0) return false;
  if (!acceptCompletion(view) && moveCompletionSelection(true)(view)) acceptCompletion(view);
  return true;
}
