import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The look of code, from our tokens: custom properties reach into the shadow root. */
export const codeTheme = [
  EditorView.theme({
    '&': { height: '100%', fontSize: '12px', color: 'var(--color-ink)', backgroundColor: 'var(--color-raised)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px', overflow: 'auto' },
    '.cm-content': { caretColor: 'var(--color-ink)', padding: '6px 0' },
    '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
    '.cm-gutters': { backgroundColor: 'var(--color-panel)', color: 'var(--color-muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLineGutter': { color: 'var(--color-ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-5)',
    },
    '.cm-tooltip, .cm-panels': {
      backgroundColor: 'var(--color-raised)',
      color: 'var(--color-ink)',
      borderColor: 'var(--color-line)',
    },
    '.cm-lintPoint-error:after': { borderBottomColor: 'var(--color-failed)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--color-accent-ink)' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-succeeded)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-stopped)' },
      { tag: [tags.comment], color: 'var(--color-muted)', fontStyle: 'italic' },
      { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--color-running)' },
      { tag: [tags.standard(tags.variableName), tags.function(tags.variableName)], color: 'var(--color-accent-ink)' },
    ]),
  ),
];
