import { Card } from '../../../ui/page.js';
import { readExample, type ExampleView } from './read-example.js';

interface ExamplesProps {
  examples: readonly { name: string; [field: string]: unknown }[];
}

/** Inputs with their results. */
export const Examples = ({ examples }: ExamplesProps) => (
  <ul className="flex flex-col gap-3">
    {examples.map((example, at) => (
      <li key={at}>
        <Example {...readExample(example)} />
      </li>
    ))}
  </ul>
);

const Example = ({ name, inputs, files, results }: ExampleView) => (
  <Card className="px-4 py-3">
    <h3 dir="auto" className="wrap-text">
      {name}
    </h3>
    {inputs.length > 0 && (
      <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs">
        {inputs.map(([input, value]) => (
          <div key={input} className="contents">
            <dt className="font-mono text-muted">{input}</dt>
            <dd className="wrap-text font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    )}
    <div className="mt-2 grid grid-cols-2 gap-3 max-md:grid-cols-1">
      <Contents title="Files" contents={files} />
      <Contents title="Result" contents={results} />
    </div>
  </Card>
);

const Contents = ({ title, contents }: { title: string; contents: ExampleView['files'] }) =>
  contents.length > 0 && (
    <div className="flex min-w-0 flex-col gap-2">
      {contents.map(([label, content]) => (
        <figure key={label} className="min-w-0">
          <figcaption className="wrap-text mb-0.5 text-xs text-muted">{label}</figcaption>
          <pre
            tabIndex={0}
            aria-label={`${title}: ${label}`}
            className="max-h-60 overflow-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-xs"
          >
            {content === '' ? '(empty)' : content}
          </pre>
        </figure>
      ))}
    </div>
  );
