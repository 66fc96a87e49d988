/**
 * A WebAssembly assembler, just large enough for the kernels beside it.
 *
 * An expression is the bytes that leave its value on the stack, so a kernel is written as nested calls and reads nearly
 * like the loop it stands for. There is no toolchain to install, and the module is made when it is needed.
 */

export type Code = readonly number[]

/** Value types. */
export const I32 = 0x7f
export const F64 = 0x7c
export const V128 = 0x7b

export const i32 = (value: number): Code => [0x41, ...signed(value)]
export const f64 = (value: number): Code => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)]

const binary =
  (...opcode: number[]) =>
  (a: Code, b: Code): Code => [...a, ...b, ...opcode]
const unary =
  (...opcode: number[]) =>
  (a: Code): Code => [...a, ...opcode]

export const add = binary(0x6a)
export const sub = binary(0x6b)
export const mul = binary(0x6c)
export const and = binary(0x71)
export const or = binary(0x72)
export const shl = binary(0x74)
export const shr = binary(0x76)
export const ltS = binary(0x48)
export const gtS = binary(0x4a)
export const geS = binary(0x4e)
export const ctz = unary(0x68)
export const popcnt = unary(0x69)
export const toInt = unary(0xaa)

export const addF = binary(0xa0)
export const subF = binary(0xa1)
export const mulF = binary(0xa2)
export const divF = binary(0xa3)
export const minF = binary(0xa4)
export const maxF = binary(0xa5)
export const leF = binary(0x65)

const simd = (opcode: number) => [0xfd, ...unsigned(opcode)]
export const splatI = unary(...simd(17))
/** Four times the single that is nearest to a double. */
export const splatF = unary(0xb6, ...simd(19))
export const addI4 = binary(...simd(174))
export const addF4 = binary(...simd(228))
export const subF4 = binary(...simd(229))
export const mulF4 = binary(...simd(230))
export const leF4 = binary(...simd(69))
export const swizzle = binary(...simd(14))
/** The sign bits of four lanes. */
export const bitmask = unary(...simd(164))

type Address = Code
export const loadI = (at: Address, offset = 0): Code => [...at, 0x28, 2, ...unsigned(offset)]
export const storeI = (at: Address, value: Code, offset = 0): Code => [...at, ...value, 0x36, 2, ...unsigned(offset)]
export const loadByte = (at: Address, offset = 0): Code => [...at, 0x2d, 0, ...unsigned(offset)]
export const loadF = (at: Address, offset = 0): Code => [...at, 0x2b, 3, ...unsigned(offset)]
export const storeF = (at: Address, value: Code, offset = 0): Code => [...at, ...value, 0x39, 3, ...unsigned(offset)]
/** Stores a double as the nearest single. */
export const storeSingle = (at: Address, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  0xb6,
  0x38,
  2,
  ...unsigned(offset),
]
export const load4 = (at: Address, offset = 0): Code => [...at, ...simd(0), 2, ...unsigned(offset)]
export const store4 = (at: Address, value: Code, offset = 0): Code => [
  ...at,
  ...value,
  ...simd(11),
  2,
  ...unsigned(offset),
]
/** Four times the single at an address. */
export const loadSplat4 = (at: Address, offset = 0): Code => [...at, ...simd(9), 2, ...unsigned(offset)]
export const fill = (at: Address, byte: Code, length: Code): Code => [...at, ...byte, ...length, 0xfc, 11, 0]

/** `a` if the condition holds, else `b`; both are computed. */
export const select = (condition: Code, a: Code, b: Code): Code => [...a, ...b, ...condition, 0x1b]
export const when = (condition: Code, ...then: Code[]): Code => [...condition, 0x04, 0x40, ...then.flat(), 0x0b]
export const loopWhile = (condition: Code, ...body: Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...[...condition, 0x45, 0x0d, 1],
  ...body.flat(),
  ...[0x0c, 0, 0x0b, 0x0b],
]

export type Local = { readonly get: Code; readonly set: (value: Code) => Code }

export type Kernel = {
  readonly name: string
  readonly params: readonly number[]
  readonly returns: readonly number[]
  readonly body: (params: readonly Local[], local: (type: number) => Local) => Code
}

/** A module of these kernels over an imported memory, `env.memory`. */
export function assemble(kernels: readonly Kernel[], pages: number): Uint8Array<ArrayBuffer> {
  const section = (id: number, content: Code) => [id, ...unsigned(content.length), ...content]
  const list = (items: readonly Code[]) => [...unsigned(items.length), ...items.flat()]
  const text = (name: string) => list([...new TextEncoder().encode(name)].map((byte) => [byte]))
  const types = kernels.map(({ params, returns }) => [
    0x60,
    ...list(params.map((type) => [type])),
    ...list(returns.map((type) => [type])),
  ])
  const bodies = kernels.map(({ params, body }) => {
    const locals: number[] = []
    const localAt = (index: number): Local => ({
      get: [0x20, ...unsigned(index)],
      set: (value) => [...value, 0x21, ...unsigned(index)],
    })
    const code = body(
      params.map((_, i) => localAt(i)),
      (type) => localAt(params.length + locals.push(type) - 1),
    )
    const content = [...list(locals.map((type) => [1, type])), ...code, 0x0b]
    return [...unsigned(content.length), ...content]
  })
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([[...text('env'), ...text('memory'), 2, 0, ...unsigned(pages)]])),
    ...section(3, list(kernels.map((_, i) => unsigned(i)))),
    ...section(7, list(kernels.map(({ name }, i) => [...text(name), 0, ...unsigned(i)]))),
    ...section(10, list(bodies)),
  ])
}

function unsigned(value: number): Code {
  const bytes: number[] = []
  for (let rest = value >>> 0; ; ) {
    const low = rest & 0x7f
    rest >>>= 7
    if (rest === 0) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

function signed(value: number): Code {
  const bytes: number[] = []
  for (let rest = value | 0; ; ) {
    const low = rest & 0x7f
    rest >>= 7
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}
