/** How matches are marked in text; plain for models, coloured on a terminal. */
export interface Style {
  path(text: string): string;
  hit(text: string): string;
  dim(text: string): string;
}

export const PLAIN: Style = { path: (text) => text, hit: (text) => text, dim: (text) => text };
