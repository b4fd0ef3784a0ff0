/** What an explore call asks: its relation and its anchor, from the arguments or from the words of a question. Pure. */

export type Relation = 'callers' | 'callees' | 'dependencies' | 'dependents' | 'impact' | 'overview';

/** Most telling first. */
const ASKED: readonly (readonly [words: RegExp, relation: Relation])[] = [
  [
    /\b(?:impact|affect\w*|break\w*|blast radius|happens if|safe to (?:change|remove|rename)|if (?:i|we) (?:change|remove|rename))\b/i,
    'impact',
  ],
  [/\b(?:dependents?|who (?:imports|includes|requires|depends)|(?:imported|included|required) by|importers)\b/i, 'dependents'],
  [/\b(?:dependenc(?:y|ies)|depends? on|imports?|includes?|requires?)\b/i, 'dependencies'],
  [
    /\b(?:callers?|who (?:calls|uses|invokes)|(?:called|used|invoked) (?:by|from)|where is .+ (?:called|used|invoked)|usages?)\b/i,
    'callers',
  ],
  [/\b(?:callees?|what does .+ (?:call|use|invoke|do)|calls what|call(?:s|ed) (?:in|inside|within))\b/i, 'callees'],
  [/\b(?:overview|structure|architecture|layout|organi[sz]ed|entry points?|where to start|folders?|big picture)\b/i, 'overview'],
];
const QUOTED = /`([^`]+)`|"([^"]+)"/;
/** What can only be a name or a path: with a sign, a dot or slash inside, an underscore, or a capital inside. */
const NAME = /[\w$@#~./\\:-]*(?:[\p{L}\p{N}](?:::|[._/#\\]|->)[\p{L}_$]|[\p{Ll}\d]\p{Lu}|_\w|\$\w)[\w$./\\:>-]*/gu;

/** @returns the relation that the words ask for; undefined when they ask for none */
export function relationOf(question: string): Relation | undefined {
  return ASKED.find(([words]) => words.test(question))?.[1];
}

/** The name or path that a question is about. */
export function anchorOf(question: string): string | undefined {
  const quoted = QUOTED.exec(question);
  if (quoted !== null) return quoted[1] ?? quoted[2];
  const names = question.match(NAME)?.map((name) => name.replace(/^[.:]+|[.:?!,;]+$/g, '').replace(/\(\)$/, '')) ?? [];
  return names.filter((name) => name.length > 1).sort((a, b) => b.length - a.length)[0];
}
