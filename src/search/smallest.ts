/** The first items of an order, out of any number that pass by: memory is bounded by how many are wanted. Pure. */

export class Smallest<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  #items: T[] = [];
  #last: T | undefined;

  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** An item that so many others come before that nothing behind it is wanted; undefined while there is none. */
  get last(): T | undefined {
    return this.#last;
  }

  add(item: T): void {
    if (this.#last !== undefined && this.#compare(item, this.#last) > 0) return;
    this.#items.push(item);
    if (this.#items.length >= this.#limit * 2 + 64) this.#trim();
  }

  /** In order, at most the limit. */
  sorted(): T[] {
    this.#trim();
    return this.#items;
  }

  #trim(): void {
    this.#items.sort(this.#compare);
    this.#items.length = Math.min(this.#items.length, this.#limit);
    if (this.#items.length === this.#limit) this.#last = this.#items.at(-1);
  }
}
