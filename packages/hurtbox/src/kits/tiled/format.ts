/** What is read of the files of Tiled (JSON, `.tmj` and `.tsj`); everything else in them is for drawing. */

export type TiledProperty = { readonly name: string; readonly value: unknown }

export type TiledObject = {
  readonly id?: number
  readonly name?: string
  /** What Tiled shows as class; older versions write `class`. */
  readonly type?: string
  readonly class?: string
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  /** Degrees, clockwise around (x, y). */
  readonly rotation?: number
  readonly gid?: number
  readonly ellipse?: boolean
  readonly point?: boolean
  readonly text?: unknown
  readonly polygon?: readonly { readonly x: number; readonly y: number }[]
  readonly polyline?: readonly { readonly x: number; readonly y: number }[]
  readonly properties?: readonly TiledProperty[]
}

export type TiledLayer = {
  readonly type: string
  readonly name: string
  readonly offsetx?: number
  readonly offsety?: number
  readonly width?: number
  readonly height?: number
  readonly data?: readonly number[] | string
  readonly encoding?: string
  readonly compression?: string
  readonly objects?: readonly TiledObject[]
  readonly layers?: readonly TiledLayer[]
  readonly properties?: readonly TiledProperty[]
}

export type TiledTile = {
  readonly id: number
  readonly properties?: readonly TiledProperty[]
  /** The shapes drawn in Tiled's collision editor. */
  readonly objectgroup?: { readonly objects: readonly TiledObject[] }
}

export type TiledSet = {
  readonly firstgid?: number
  readonly name?: string
  /** A file of its own instead of all the rest. */
  readonly source?: string
  readonly tiles?: readonly TiledTile[]
}

export type TiledFile = {
  readonly type?: string
  readonly orientation?: string
  readonly infinite?: boolean
  readonly width: number
  readonly height: number
  readonly tilewidth: number
  readonly tileheight: number
  readonly layers: readonly TiledLayer[]
  readonly tilesets?: readonly TiledSet[]
}
