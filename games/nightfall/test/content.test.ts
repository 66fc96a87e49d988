import { test } from 'vitest'
import { expectContentPage } from '../../test/content.ts'
import { ENEMIES } from '../rules/content/enemies.ts'
import { UPGRADES, WEIGHT } from '../rules/content/upgrades.ts'
import { WAVES } from '../rules/content/waves.ts'
import { WEAPONS } from '../rules/content/weapons.ts'

test('[NF50] CONTENT.md has the numbers of weapons, upgrades, enemies and waves', () => {
  const minutes = (name: keyof typeof WAVES) =>
    WAVES[name].flatMap(({ perSecond, elite, mix }, minute) =>
      mix.map(([enemy, weight, hp, speed, touch]) => ({
        ...{ minute, 'a second': perSecond, 'elite chance': elite },
        ...{ enemy, weight, hp, speed, touch },
      })),
    )
  expectContentPage('nightfall', "Nightfall's content", {
    Weapons: WEAPONS,
    Upgrades: UPGRADES,
    'How likely an upgrade is offered': [WEIGHT],
    Enemies: ENEMIES,
    'Waves: seven kinds': minutes('seven-kinds'),
    'Waves: four kinds': minutes('four-kinds'),
  })
})
