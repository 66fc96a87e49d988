/** A right game that names parts of its declaration in every function that takes names, and each name misspelt. */

export const NAMED = `
import {
  addCircle, addShape, addVolume, border, type Boxes, choice, collide, createWorld, declareGame, defineBlocks, defineGame, defineStatics,
  each, flag, type Game, type Gate, type Hit, type Player, players, press, type RuleThing, type RuleWorld, spawn, type StaticShape, type Thing,
  tiles, tune, type World,
} from 'hurtbox'
import type { View } from '@hurtbox/view'
import { addWindows, defineAbilities } from 'hurtbox/abilities'
import { spawnFrom } from 'hurtbox/combat'
import { contact, slide, travel, travelInSpace } from 'hurtbox/contacts'
import { defineModule } from 'hurtbox/module'
import { move } from 'hurtbox/motion'
import { movePlatformer, platformer } from 'hurtbox/platformer'
import { createFilter, createSpatialIndex, nearest, raycast, within } from 'hurtbox/query'
import { judgeAsSeen } from 'hurtbox/rewind'
import { box } from 'hurtbox/shapes'
import { sphere } from 'hurtbox/volumes'

const declared = declareGame({
  id: 'brawl',
  tickRate: 60,
  options: { ramming: flag(false) },
  input: { ram: press(), stance: choice(['low', 'high']) },
  layers: { fist: ['sailor'], sailor: ['wall'], wall: [] },
  things: { hp: 'f64', poisonUntil: 'timer', z: 'f64', goalX: 'f64', loot: 'id', ...platformer.columns },
  players: { score: 'u32' },
  tables: { marks: { capacity: 4, columns: { about: 'id' } } },
  arrays: { doors: { type: 'u8', length: 4 } },
  globals: { gateOpen: 'u8' },
  tuning: { rammingDamage: tune(3) },
})
interface Brawl extends Readonly<typeof declared> {}
const brawl: Brawl = declared

const walls = [
  ...tiles({ layer: 'wall', rows: ['##'], size: 10 }),
  ...border({ layer: 'wall', minX: 0, minY: 0, maxX: 9, maxY: 9 }),
]
export const around = defineStatics(brawl, walls)
export const statics = defineStatics(brawl, [
  { layer: 'wall', minX: 0, minY: 0, maxX: 1, maxY: 1, door: 'gateOpen' },
  { layer: 'wall', x: 0, y: 0, radius: 4, door: ['doors', 1] },
])
export const blocks = defineBlocks(brawl, [{ layer: 'wall', x: 0, y: 0, z: 0, radius: 4, door: 'gateOpen' }])
const loaded: readonly StaticShape[] = JSON.parse('[]')
export const fromFile = defineStatics(brawl, loaded)

const abilities = defineAbilities({ source: 'test', abilities: {}, slots: {}, damageTypes: [] })
const unarmed: Gate<Brawl> = { name: 'unarmed', refuses: (first) => first.hp === 0 }
const meet = collide(
  brawl,
  {
    'fist meets sailor': {
      between: ['fist', 'sailor'],
      gates: [unarmed],
      decide(fist, sailor, hit) {
        sailor.poisonUntil = hit.world.clock
        const shot = spawnFrom(fist, 'sailor', { hp: 3, loot: sailor })
        spawnFrom(fist, 'wall')
        shot.goalX = 3
        const layer: 'sailor' = shot.layer
        knock(hit.world, sailor, layer)
        measure(hit)
        anyGame(hit.world, sailor)
      },
    },
    'sailor meets wall': { between: ['sailor', 'wall'], decide: (sailor, _wall, hit) => void slide(sailor, contact(hit)) },
  },
  {
    statics,
    travel: travel(['sailor'], { perTick: true }),
    pose: {
      sailor(sailor, boxes, world) {
        addCircle(boxes, sailor, 'fist')
        addShape(boxes, box(2, 2), sailor, 'wall')
        addVolume(boxes, sphere(2), sailor, 'sailor')
        addWindows(abilities, sailor as never, boxes, 'fist')
        addFist(boxes, sailor)
        anyGame(world, sailor)
      },
    },
  },
)
export const inSpace = collide(brawl, {}, { travel: travelInSpace(['fist', 'sailor']) })
export const ofList = collide(brawl, {}, { travel: travel('fist sailor'.split(' ')) })

/** Helpers of a stranger: of this game, of games with these layers, of any game. */
function knock(world: RuleWorld<Brawl>, sailor: RuleThing<Brawl>, layer: 'sailor' | 'wall'): void {
  for (const other of each(world, layer)) other.hp -= sailor.hp
}
const measure = ({ world, time }: Hit<Brawl>): number => world.globals.gateOpen + time
function addFist(boxes: Boxes<'fist' | 'sailor' | 'wall'>, sailor: Thing<Brawl>): void {
  addCircle(boxes, sailor, 'fist')
  addAny(boxes, sailor)
}
function addAny(boxes: Boxes, at: { x: number; y: number; radius: number }): void {
  addCircle(boxes, at, 'fist')
}
function anyGame(world: RuleWorld, thing: RuleThing): void {
  for (const other of each(world, 'sailor')) other.hp -= thing.hp + world.globals.gateOpen
}
export const runs = movePlatformer(brawl, { bodies: ['sailor'], platforms: ['fist'], oneWay: ['wall'], statics, gravity: () => 900 })
const scores = (player: Player<Brawl>): number => player.score + (player.thing?.hp ?? 0)

const game: Game<Brawl> = defineGame(brawl, {
  phases: { fly: move(['sailor']), list: move('sailor fist'.split(' ')), meet },
  setup(world) {
    spawn(world, 'sailor', { poisonUntil: 4 })
    for (const player of players(world)) player.score = scores(player)
  },
})
export const fair = judgeAsSeen(game, { ticks: 8, between: [['fist', 'sailor']], record: ['sailor'], columns: ['x', 'y'] })
export const module = defineModule({
  game,
  room: { hide: ['things.goalX', 'marks'], show: ['globals.gateOpen', 'players.score'] },
  meaning: { needs: { rammingDamage: 'ramming' } },
})
export const view: Pick<View<Brawl>, 'controls' | 'hud' | 'choices'> = {
  controls: {
    fields: {
      ram: { kind: 'press', keys: ['Space'], label: 'ram' },
      stance: { kind: 'choice', keys: { low: ['KeyJ'] }, touch: { high: 'Up' }, label: 'stance' },
    },
  },
  hud: (world) => [{ label: 'gate', value: world.globals.gateOpen, control: 'stance' }],
  choices: () => [{ title: 'ram', text: 'it', control: 'ram' }],
}

const world: World<Brawl> = createWorld(game)
const index = createSpatialIndex(world)
const sailors = createFilter(world, { layers: ['sailor'] })
export const near = [within(index, { x: 0, y: 0 }, 9, sailors), nearest(index, { x: 0, y: 0 }, sailors)?.hp]
export const ahead: Thing<Brawl> | undefined = raycast(index, { x: 0, y: 0 }, { x: 9, y: 0 }, sailors)
`

/** What is written instead of what, the word of it that is to be underlined, and what the compiler says there. */
export const MISNAMED: Readonly<Record<string, readonly [right: string, wrong: string, at: string, message: RegExp]>> =
  {
    'a layer in addCircle': [
      "boxes, sailor, 'fist')",
      "boxes, sailor, 'fst')",
      "'fst'",
      /'"fist" \| "sailor" \| "wall"/,
    ],
    'a layer in addShape': ["sailor, 'wall')", "sailor, 'wal')", "'wal'", /'"fist" \| "sailor" \| "wall"/],
    'a layer in addVolume': ["sailor, 'sailor')", "sailor, 'sailr')", "'sailr'", /'"fist" \| "sailor" \| "wall"/],
    'a layer in addWindows': [
      "never, boxes, 'fist')",
      "never, boxes, 'fits')",
      "'fits'",
      /'"fist" \| "sailor" \| "wall"/,
    ],
    'a layer in travel': [
      "travel: travel(['sailor']",
      "travel: travel(['salor']",
      'travel:',
      /'salor' is missing in type/,
    ],
    'a layer in travelInSpace': [
      "travel: travelInSpace(['fist',",
      "travel: travelInSpace(['fst',",
      'travel:',
      /'fst' is missing in type/,
    ],
    'a layer in move': ["fly: move(['sailor'])", "fly: move(['sailer'])", 'fly', /'sailer' is missing in type/],
    'a layer in spawnFrom': ["From(fist, 'wall')", "From(fist, 'wal')", "'wal'", /'"fist" \| "sailor" \| "wall"/],
    'a column in spawnFrom': ['{ hp: 3, loot', '{ poisonUntl: 3, loot', 'poisonUntl', /mean to write 'poisonUntil'/],
    'a column of what spawnFrom made': ['shot.goalX', 'shot.gaolX', 'gaolX', /Did you mean 'goalX'/],
    'a layer of a wall': [
      "layer: 'wall', minX: 0, minY: 0, maxX: 1",
      "layer: 'wal', minX: 0, minY: 0, maxX: 1",
      'layer:',
      /'"wal"'/,
    ],
    'a layer of tiles': [
      "tiles({ layer: 'wall'",
      "tiles({ layer: 'tile'",
      'walls)',
      /'"tile"' is not assignable to type/,
    ],
    'a layer of a block': ["(brawl, [{ layer: 'wall'", "(brawl, [{ layer: 'wlal'", 'layer:', /'"wlal"'/],
    'a door': ["door: 'gateOpen' },\n  {", "door: 'gatOpen' },\n  {", 'door:', /'"gatOpen"'/],
    'a door in an array': ["['doors', 1]", "['dors', 1]", "'dors'", /'"dors"'/],
    'a layer in judgeAsSeen': [
      "[['fist', 'sailor']]",
      "[['fist', 'sailr']]",
      "'sailr'",
      /'"fist" \| "sailor" \| "wall"/,
    ],
    'a recorded layer': ["record: ['sailor']", "record: ['sailr']", "'sailr'", /'"fist" \| "sailor" \| "wall"/],
    'a recorded column': ["columns: ['x', 'y']", "columns: ['x', 'yy']", "'yy'", /Type '"yy"' is not assignable/],
    'a hidden column': ["'things.goalX'", "'things.gaolX'", "'things.gaolX'", /Type '"things\.gaolX"'/],
    'a shown global': ["'globals.gateOpen'", "'globals.gatOpen'", "'globals.gatOpen'", /Type '"globals\.gatOpen"'/],
    'a tuning value that needs an option': [
      'needs: { rammingDamage:',
      'needs: { ramingDamage:',
      'ramingDamage',
      /mean to write 'rammingDamage'/,
    ],
    'an option that tuning needs': [
      "rammingDamage: 'ramming'",
      "rammingDamage: 'raming'",
      'rammingDamage',
      /'"raming"' is not assignable/,
    ],
    'a layer of a filter': ["layers: ['sailor']", "layers: ['sailer']", "'sailer'", /Type '"sailer"'/],
    'a column of what a query found': [
      'sailors)?.hp',
      'sailors)?.hpp',
      'hpp',
      /'hpp' does not exist on type 'Thing<Brawl>'/,
    ],
    'a layer of bodies in a side view': [
      "bodies: ['sailor']",
      "bodies: ['salor']",
      "'salor'",
      /'"salor"' is not assignable to type '"fist" \| "sailor" \| "wall"'/,
    ],
    'a layer of platforms': ["platforms: ['fist']", "platforms: ['fits']", "'fits'", /'"fist" \| "sailor" \| "wall"'/],
    'a layer that holds from above': ["oneWay: ['wall']", "oneWay: ['wal']", "'wal'", /'"fist" \| "sailor" \| "wall"'/],
    'a field that a key controls': ["ram: { kind: 'press'", "rma: { kind: 'press'", 'rma', /'rma' does not exist/],
    'a choice that a key makes': ["keys: { low: ['KeyJ']", "keys: { lwo: ['KeyJ']", 'lwo', /'lwo' does not exist/],
    'a choice that a finger makes': ["touch: { high: 'Up'", "touch: { hihg: 'Up'", 'hihg', /'hihg' does not exist/],
    'a field beside a figure': [
      "hud: (world) => [{ label: 'gate', value: world.globals.gateOpen, control: 'stance'",
      "hud: (world) => [{ label: 'gate', value: world.globals.gateOpen, control: 'stence'",
      'hud',
      /'"stence"' is not assignable to type '"ram" \| "stance"/,
    ],
    'a field that takes a card': [
      "choices: () => [{ title: 'ram', text: 'it', control: 'ram'",
      "choices: () => [{ title: 'ram', text: 'it', control: 'rma'",
      'choices',
      /'"rma"' is not assignable to type '"ram" \| "stance"/,
    ],
    'a layer in a helper': ["layer: 'sailor' | 'wall')", "layer: 'sailor' | 'wlal')", 'layer)', /"wlal"/],
  }
