import { type EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { colourQuery, type TokenColour } from './colour-query.js';

const MARKS: Record<TokenColour, Decoration> = {
  column: Decoration.mark({ class: 'q-column' }),
  keyword: Decoration.mark({ class: 'q-keyword' }),
  operator: Decoration.mark({ class: 'q-operator' }),
  text: Decoration.mark({ class: 'q-text' }),
  value: Decoration.mark({ class: 'q-value' }),
};

function decorate(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, colour } of colourQuery(state.doc.toString())) builder.add(from, to, MARKS[colour]);
  return builder.finish();
}

export const queryColours = StateField.define<DecorationSet>({
  create: decorate,
  update: (decorations, transaction) => (transaction.docChanged ? decorate(transaction.state) : decorations),
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the position of an error, or removes the mark. */
export const setQueryError = StateEffect.define<number | undefined>();

class MissingPart extends WidgetType {
  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'q-error';
    mark.textContent = '\u00a0\u00a0';
    return mark;
  }
}

const ERROR = Decoration.mark({ class: 'q-error' });
const ERROR_AT_END = Decoration.widget({ widget: new MissingPart(), side: 1 });

function markError(state: EditorState, position: number | undefined): DecorationSet {
  if (position === undefined) return Decoration.none;
  const { length } = state.doc;
  const word = /^(?:[^\s(),=<>~!"'`]+|.)/.exec(state.sliceDoc(position))?.[0] ?? '';
  if (position >= length || word.trim() === '') return Decoration.set(ERROR_AT_END.range(Math.min(position, length)));
  return Decoration.set(ERROR.range(position, position + word.length));
}

export const queryError = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (decorations, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setQueryError)) return markError(transaction.state, effect.value);
    // A mark at a text that has changed would be wrong.
    return transaction.docChanged ? Decoration.none : decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The variables of the page reach into the shadow root. */
export const QUERY_THEME = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--grey-12)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px', maxHeight: '104px', overflow: 'auto' },
  '.cm-content': { padding: '5px 0', caretColor: 'var(--grey-12)' },
  '.cm-line': { padding: '0 2px' },
  '.cm-placeholder': { color: 'var(--grey-11)', fontFamily: 'var(--font-sans)' },
  '.q-column': { color: 'var(--grey-12)' },
  '.q-keyword': { color: 'var(--accent-11)', fontWeight: '600' },
  '.q-operator': { color: 'var(--grey-11)' },
  '.q-text': { color: 'var(--green-11)' },
  '.q-value': { color: 'var(--blue-11)' },
  '.q-error': { textDecoration: 'underline wavy var(--red-9) 1.5px', textUnderlineOffset: '4px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--grey-6)',
    borderRadius: '6px',
    boxShadow: '0 4px 16px var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '260px', padding: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '24px',
    justifyContent: 'space-between',
    padding: '3px 8px',
    borderRadius: '4px',
    maxWidth: '420px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-3)', color: 'var(--grey-12)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--grey-11)', fontStyle: 'normal', marginLeft: '0' },
});
