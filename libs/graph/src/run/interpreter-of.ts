import { type Language } from '../plan/plan.js';

export interface Interpreter {
  /** File in the working directory that the script's source is written to. */
  file: string;
  /** Start of the argument vector, the script's file included. */
  argv: string[];
}

const RUN: Record<Language, { file: string; argv: string[] }> = {
  bash: { file: 'script.sh', argv: ['bash'] },
  python: { file: 'script.py', argv: ['python3'] },
  node: { file: 'script.js', argv: ['node'] },
  go: { file: 'script.go', argv: ['go', 'run'] },
};

/** How a script is run from its working directory; programs are looked up on the PATH. */
export function interpreterOf(language: Language): Interpreter {
  const { file, argv } = RUN[language];
  return { file, argv: [...argv, file] };
}
