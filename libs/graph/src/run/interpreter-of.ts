import { type Language } from '../plan/plan.js';

export interface Interpreter {
  /** Name of the script's file in the working directory. */
  file: string;
  /** Start of the argument vector, including the script's file. */
  argv: string[];
}

const INTERPRETERS: Record<Language, { file: string; argv: string[] }> = {
  bash: { file: 'script.sh', argv: ['bash'] },
  python: { file: 'script.py', argv: ['python3'] },
  node: { file: 'script.js', argv: ['node'] },
  go: { file: 'script.go', argv: ['go', 'run'] },
};

/** Returns how to run a script in its working directory. Programs are found on the PATH. */
export function interpreterOf(language: Language): Interpreter {
  const { file, argv } = INTERPRETERS[language];
  return { file, argv: [...argv, file] };
}
