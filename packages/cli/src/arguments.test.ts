import { describe, expect, test } from 'vitest'
import { assignment, depthList, readNumber, wholeNumber } from './arguments.ts'

describe('[CL5] whole numbers are plain digits within their range', () => {
  const read = wholeNumber(1, 2 ** 53 - 1)
  test.each([
    ['1', 1],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
  ])('%s is read', (text, value) => expect(read(text)).toBe(value))

  const refused = ['', ' ', ' 7', '7 ', '-1', '+1', '-0', '0', '1.0', '1e3', '0x10', '1_000', '1,000', '٣', 'NaN']
  test.each([...refused, 'Infinity', '9007199254740992', '99999999999999999999'])('%j is refused', (text) => {
    expect(() => read(text)).toThrow('It must be a whole number from 1 to 9007199254740991')
  })
})

describe('[CL5] depths are a number, a list or a range', () => {
  test.each([
    ['8', [8]],
    ['1,2,8', [1, 2, 8]],
    ['3-5', [3, 4, 5]],
    ['3..5,64', [3, 4, 5, 64]],
    ['256', [256]],
  ])('%s', (text, depths) => expect(depthList(text)).toEqual(depths))

  test.each(['', '0', '257', '1-', '-3', '5-2', '1-257', '1-2-3', '1,', '1;2', 'a', '1.5'])('%j is refused', (text) => {
    expect(() => depthList(text)).toThrow('It must be a number of ticks from 1 to 256')
  })
})

test('[CL5] name=value collects; the last one of a name counts; everything else is refused', () => {
  expect(assignment('b=2=3', assignment('b=1', assignment('a=1')))).toEqual({ a: '1', b: '2=3' })
  for (const text of ['', 'a', 'a=', '=1']) expect(() => assignment(text)).toThrow('It must be name=value')
})

test('[CL5] a tuning value is a decimal number, or stays the text it was', () => {
  expect(['1', '-1.5', '+.5', '1e-3', '2.'].map(readNumber)).toEqual([1, -1.5, 0.5, 0.001, 2])
  for (const text of ['', ' 1', '0x10', 'NaN', 'Infinity', '1e', '.', '1,5']) expect(readNumber(text)).toBe(text)
})
