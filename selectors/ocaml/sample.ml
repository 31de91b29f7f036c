(** A small shop: every construct that the data of OCaml speaks of. *)

open Printf
open! Base.List
include Prices

exception Closed of string

(** A colour. *)
type colour = Red | Green of int | Blue

type 'a item = {
  name : string;
  mutable price : float;
  tag : 'a option;
}

type alias = int list

module Counter = struct
  let total = ref 0

  let increase n =
    total := !total + n;
    !total
end

module type SHOP = sig
  type t
  val make : string -> t
end

module Make (X : SHOP) : SHOP = struct
  type t = X.t
  let make = X.make
end

class virtual shop (name : string) = object (self)
  inherit Base.shop
  val mutable count = 0
  method name = name
  method private add n = count <- count + n
  method virtual tax : float
  method sell n = self#add n
end

class type priced = object
  method price : float
end

external puts : string -> unit = "puts"

let limit = 10
let pi, half = 3.14, 0x1F

(** Adds an item. *)
let rec add ?(amount = 1) ~name item =
  if amount > limit then raise (Closed name)
  else begin
    for i = 1 to amount do
      printf "%d\n" i
    done;
    while false do () done
  end;
  match item with
  | Red -> add ~name (Green 1)
  | Green n when n > 0 -> n
  | _ -> 0

and twice x = x * 2

let _hidden () = ()
let ( +++ ) a b = a ^ b
let square = fun x -> x * x
let classify = function 0 -> "zero" | _ -> {|many|}

let run () =
  let helper x = square x in
  try
    let result = List.map (fun x -> helper x) [ 1; 2; 3 ] in
    assert (result <> []);
    ignore { name = "x"; price = 1.; tag = None };
    ignore [| 'a'; 'b' |]
  with
  | Closed reason -> print_endline reason
  | Not_found -> ()

let test_add () = add ~amount:2 ~name:"x" Red
let () = run (); (new open_shop "x")#sell 1 [@ocaml.warning "-32"]
