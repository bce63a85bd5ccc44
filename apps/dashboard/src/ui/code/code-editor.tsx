import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type CodeLanguage, loadLanguage } from './code-languages.js';
import { codeTheme } from './code-theme.js';

/** A problem at a line, both counted from 1. */
export interface CodeProblem {
  line: number;
  column?: number;
  message: string;
  isError: boolean;
}

interface CodeEditorProps {
  label: string;
  value: string;
  language: CodeLanguage;
  onChange?: (value: string) => void;
  onBlur?: () => void;
  problems?: readonly CodeProblem[];
  className?: string;
}

/**
 * A field for code. It lives in a shadow root, because CodeMirror adds style elements elsewhere, which the policy of the page
 * refuses. Escape and then Tab leave it. Load it lazily; it weighs 120 kB.
 */
export function CodeEditor({ label, value, language, onChange, onBlur, problems, className = '' }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const callbacks = useRef({ onChange, onBlur });
  const languageSlot = useRef(new Compartment());
  const isReadOnly = onChange === undefined;
  const initial = useRef(value);
  useEffect(() => {
    callbacks.current = { onChange, onBlur };
  });
  useLayoutEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightSelectionMatches(),
          lintGutter(),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
          // Without the tab index, axe takes the scrolling element for one that the keyboard cannot reach.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorState.readOnly.of(isReadOnly),
          languageSlot.current.of([]),
          codeTheme,
          EditorView.updateListener.of((update) => {
            const isOwn = update.transactions.some((transaction) => transaction.annotation(Transaction.remote));
            if (update.docChanged && !isOwn) callbacks.current.onChange?.(update.state.doc.toString());
          }),
          EditorView.domEventHandlers({ blur: () => callbacks.current.onBlur?.() }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      initial.current = editor.state.doc.toString();
      editor.destroy();
      view.current = null;
    };
  }, [label, isReadOnly]);
  useEffect(() => {
    let isCurrent = true;
    void loadLanguage(language).then((extension) => {
      if (isCurrent) view.current?.dispatch({ effects: languageSlot.current.reconfigure(extension) });
    });
    return () => {
      isCurrent = false;
    };
  }, [language, label, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: Transaction.remote.of(true),
    });
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          (problems ?? []).map((one) => toDiagnostic(editor.state, one)),
        ),
      );
  }, [problems, value]);
  return <div ref={host} className={`overflow-hidden rounded-md border border-line-strong ${className}`} />;
}

function toDiagnostic({ doc }: EditorState, { line, column = 1, message, isError }: CodeProblem): Diagnostic {
  const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(place.from + Math.max(column - 1, 0), place.to);
  return { from, to: place.to, severity: isError ? 'error' : 'warning', message };
}
