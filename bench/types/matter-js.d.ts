/** The part of matter-js that the benchmark uses; the package ships no types. */

declare module 'matter-js' {
  namespace Matter {
    type Vector = { x: number; y: number }
    type Body = { readonly id: number; readonly position: Vector }
    type BodyOptions = {
      isSensor?: boolean
      isStatic?: boolean
      friction?: number
      frictionAir?: number
      frictionStatic?: number
      inertia?: number
      collisionFilter?: { category: number; mask: number; group: number }
    }
    type Detector = { readonly bodies: Body[] }
    type Engine = { readonly world: object }
  }

  const Matter: {
    readonly Bodies: { circle(x: number, y: number, radius: number, options: Matter.BodyOptions): Matter.Body }
    readonly Body: {
      setMass(body: Matter.Body, mass: number): void
      setPosition(body: Matter.Body, position: Matter.Vector): void
      setVelocity(body: Matter.Body, velocity: Matter.Vector): void
      update(body: Matter.Body, deltaMs: number): void
    }
    readonly Composite: { add(world: object, bodies: readonly Matter.Body[]): void }
    readonly Detector: {
      create(): Matter.Detector
      setBodies(detector: Matter.Detector, bodies: readonly Matter.Body[]): void
      collisions(detector: Matter.Detector): readonly { bodyA: Matter.Body; bodyB: Matter.Body }[]
    }
    readonly Engine: {
      create(options: { gravity: Matter.Vector }): Matter.Engine
      update(engine: Matter.Engine, deltaMs: number): void
    }
  }
  export default Matter
}
