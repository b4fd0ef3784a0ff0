/** Language -> grammar. */
import type { Grammar } from './grammar.js';
import { BASH } from './grammar-bash.js';
import { CPP } from './grammar-cpp.js';
import { CSHARP } from './grammar-csharp.js';
import { GO } from './grammar-go.js';
import { JAVA } from './grammar-java.js';
import { PHP } from './grammar-php.js';
import { PYTHON } from './grammar-python.js';
import { RUBY } from './grammar-ruby.js';
import { RUST } from './grammar-rust.js';
import { JAVASCRIPT, TSX, TYPESCRIPT } from './grammar-script.js';
import type { LanguageName } from './language.js';

export const GRAMMARS: Readonly<Record<LanguageName, Grammar>> = {
  typescript: TYPESCRIPT,
  tsx: TSX,
  javascript: JAVASCRIPT,
  python: PYTHON,
  go: GO,
  rust: RUST,
  java: JAVA,
  c: CPP,
  cpp: CPP,
  csharp: CSHARP,
  ruby: RUBY,
  php: PHP,
  bash: BASH,
};
