/**
 * The few global declarations that value flow needs: containers, promises, the mapped types people wrap clients in.
 *
 * The closed-world program runs without TypeScript's own library: parsing that costs more than all candidate files
 * together, and nothing else of it can hold a client. A name that is missing here becomes `any`, and `any` is never
 * taken for a client.
 */
export const MINI_LIBRARY_FILE = '/mcp-listen/library.d.ts';

export const MINI_LIBRARY = `
interface Object {}
interface Function { bind(this: Function, thisArg: any, ...args: any[]): any; call(thisArg: any, ...args: any[]): any; apply(thisArg: any, args?: any): any; }
interface CallableFunction extends Function { bind<T>(this: T, thisArg: ThisParameterType<T>): OmitThisParameter<T>; bind<T>(this: T, thisArg: any): T; }
interface NewableFunction extends Function {}
interface IArguments {}
interface String { readonly length: number; split(separator: any): string[]; }
interface Boolean {}
interface Number {}
interface RegExp {}
interface Symbol {}
interface SymbolConstructor { readonly iterator: unique symbol; readonly asyncIterator: unique symbol; }
declare var Symbol: SymbolConstructor;
interface Error { name: string; message: string; }
type ThisParameterType<T> = T extends (this: infer U, ...args: never) => any ? U : unknown;
type OmitThisParameter<T> = unknown extends ThisParameterType<T> ? T : T extends (...args: infer A) => infer R ? (...args: A) => R : T;
type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type ConstructorParameters<T extends abstract new (...args: any) => any> = T extends abstract new (...args: infer P) => any ? P : never;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
type InstanceType<T extends abstract new (...args: any) => any> = T extends abstract new (...args: any) => infer R ? R : any;
type Awaited<T> = T extends null | undefined ? T : T extends object & { then(onfulfilled: infer F, ...args: infer _): any } ? F extends (value: infer V, ...args: infer _) => any ? Awaited<V> : never : T;
interface PromiseLike<T> { then<A = T, B = never>(onfulfilled?: ((value: T) => A | PromiseLike<A>) | null, onrejected?: ((reason: any) => B | PromiseLike<B>) | null): PromiseLike<A | B>; }
interface Promise<T> {
  then<A = T, B = never>(onfulfilled?: ((value: T) => A | PromiseLike<A>) | null, onrejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<A | B>;
  catch<B = never>(onrejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<T | B>;
  finally(onfinally?: (() => void) | null): Promise<T>;
}
interface PromiseSettledResult<T> { status: string; value: T; reason: any; }
interface PromiseConstructor {
  new <T>(executor: (resolve: (value: T | PromiseLike<T>) => void, reject: (reason?: any) => void) => void): Promise<T>;
  all<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }>;
  all<T>(values: Iterable<T | PromiseLike<T>>): Promise<Awaited<T>[]>;
  allSettled<T extends readonly unknown[] | []>(values: T): Promise<{ -readonly [P in keyof T]: PromiseSettledResult<Awaited<T[P]>> }>;
  race<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  any<T extends readonly unknown[] | []>(values: T): Promise<Awaited<T[number]>>;
  resolve<T>(value: T): Promise<Awaited<T>>;
  reject<T = never>(reason?: any): Promise<T>;
}
declare var Promise: PromiseConstructor;
interface IteratorYieldResult<T> { done?: false; value: T; }
interface IteratorReturnResult<T> { done: true; value: T; }
type IteratorResult<T, R = any> = IteratorYieldResult<T> | IteratorReturnResult<R>;
interface Iterator<T, R = any, N = any> { next(...args: [] | [N]): IteratorResult<T, R>; }
interface Iterable<T, R = any, N = any> { [Symbol.iterator](): Iterator<T, R, N>; }
interface IterableIterator<T, R = any, N = any> extends Iterator<T, R, N> { [Symbol.iterator](): IterableIterator<T, R, N>; map<U>(f: (value: T) => U): IterableIterator<U>; filter(f: (value: T) => any): IterableIterator<T>; toArray(): T[]; }
interface IteratorObject<T, R = any, N = any> extends Iterator<T, R, N> { [Symbol.iterator](): IteratorObject<T, R, N>; }
interface AsyncIterator<T, R = any, N = any> { next(...args: [] | [N]): Promise<IteratorResult<T, R>>; }
interface AsyncIterable<T, R = any, N = any> { [Symbol.asyncIterator](): AsyncIterator<T, R, N>; }
interface AsyncIterableIterator<T, R = any, N = any> extends AsyncIterator<T, R, N> { [Symbol.asyncIterator](): AsyncIterableIterator<T, R, N>; }
interface Generator<T = unknown, R = any, N = any> extends Iterator<T, R, N> { [Symbol.iterator](): Generator<T, R, N>; }
interface AsyncGenerator<T = unknown, R = any, N = any> extends AsyncIterator<T, R, N> { [Symbol.asyncIterator](): AsyncGenerator<T, R, N>; }
interface ReadonlyArray<T> {
  readonly length: number; readonly [index: number]: T; [Symbol.iterator](): IterableIterator<T>;
  at(index: number): T | undefined; find(f: (value: T, index: number) => any): T | undefined; filter(f: (value: T, index: number) => any): T[];
  map<U>(f: (value: T, index: number) => U): U[]; flatMap<U>(f: (value: T, index: number) => U | readonly U[]): U[]; forEach(f: (value: T, index: number) => void): void;
  some(f: (value: T) => any): boolean; every(f: (value: T) => any): boolean; reduce<U>(f: (sum: U, value: T) => U, initial: U): U;
  concat(...items: any[]): T[]; slice(start?: number, end?: number): T[]; values(): IterableIterator<T>; entries(): IterableIterator<[number, T]>; includes(value: T): boolean; join(separator?: string): string;
}
interface Array<T> extends ReadonlyArray<T> {
  length: number; [index: number]: T; push(...items: T[]): number; pop(): T | undefined; shift(): T | undefined; unshift(...items: T[]): number; splice(start: number, count?: number, ...items: T[]): T[]; sort(f?: (a: T, b: T) => number): this; reverse(): T[];
}
interface ArrayConstructor { new <T>(...items: T[]): T[]; from<T>(items: Iterable<T>): T[]; from<T, U>(items: Iterable<T>, f: (value: T, index: number) => U): U[]; of<T>(...items: T[]): T[]; isArray(value: any): boolean; }
declare var Array: ArrayConstructor;
interface ReadonlyMap<K, V> { readonly size: number; get(key: K): V | undefined; has(key: K): boolean; forEach(f: (value: V, key: K) => void): void; keys(): IterableIterator<K>; values(): IterableIterator<V>; entries(): IterableIterator<[K, V]>; [Symbol.iterator](): IterableIterator<[K, V]>; }
interface Map<K, V> extends ReadonlyMap<K, V> { set(key: K, value: V): this; delete(key: K): boolean; clear(): void; }
interface MapConstructor { new <K = any, V = any>(entries?: Iterable<readonly [K, V]> | null): Map<K, V>; }
declare var Map: MapConstructor;
interface WeakMap<K, V> { get(key: K): V | undefined; has(key: K): boolean; set(key: K, value: V): this; delete(key: K): boolean; }
interface WeakMapConstructor { new <K = any, V = any>(entries?: any): WeakMap<K, V>; }
declare var WeakMap: WeakMapConstructor;
interface ReadonlySet<T> { readonly size: number; has(value: T): boolean; forEach(f: (value: T) => void): void; values(): IterableIterator<T>; [Symbol.iterator](): IterableIterator<T>; }
interface Set<T> extends ReadonlySet<T> { add(value: T): this; delete(value: T): boolean; clear(): void; }
interface SetConstructor { new <T = any>(values?: Iterable<T> | null): Set<T>; }
declare var Set: SetConstructor;
interface WeakRef<T> { deref(): T | undefined; }
interface WeakRefConstructor { new <T>(value: T): WeakRef<T>; }
declare var WeakRef: WeakRefConstructor;
interface ObjectConstructor { keys(value: any): string[]; values<T>(value: { [key: string]: T }): T[]; entries<T>(value: { [key: string]: T }): [string, T][]; assign<T, U>(target: T, source: U): T & U; freeze<T>(value: T): T; fromEntries<T>(entries: Iterable<readonly [any, T]>): { [key: string]: T }; }
declare var Object: ObjectConstructor;
`;
