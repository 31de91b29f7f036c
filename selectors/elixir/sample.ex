defmodule Shop.Item do
  @moduledoc """
  A small shop: every construct that the data of Elixir speaks of.
  """

  use GenServer
  import Enum, only: [map: 2]
  alias Shop.{Price, Colour}
  alias Shop.Tax, as: T
  require Logger

  @behaviour Shop.Thing
  @limit 10
  @type t :: %__MODULE__{name: String.t()}
  @callback open(String.t()) :: :ok

  defstruct [:name, price: 0.5, tags: []]

  defguard is_small(n) when n < 10

  # Makes one.
  @doc "Makes an item."
  @spec new(String.t(), integer) :: t
  def new(name, count \\ 1)
  def new(name, count) when is_binary(name) do
    if count > @limit do
      raise ArgumentError, message: "too many"
    else
      :ok
    end

    case count do
      0 -> nil
      n when n > 0 -> :many
    end

    cond do
      count == 3 -> true
      true -> false
    end

    with {:ok, value} <- fetch(name), do: value

    for i <- 1..count, rem(i, 2) == 0 do
      IO.puts("#{i} of #{count}")
    end

    try do
      risky(name)
    rescue
      error in RuntimeError -> {:error, error}
    after
      close(name)
    end

    %__MODULE__{name: name, tags: ~w(a b)a}
  end

  def short(x), do: x * 2

  defp hidden(n), do: n

  defp count(0), do: 0
  defp count(n), do: count(n - 1)

  defmacro twice(expression) do
    quote do
      unquote(expression)
      unquote(expression)
    end
  end

  @impl true
  def handle_call({:get, key}, _from, state) do
    double = fn x -> x * 2 end
    triple = &(&1 * 3)
    total = state |> Map.get(key) |> double.() |> triple.()
    receive do
      {:stop, reason} -> exit(reason)
    end
    {:reply, total, %{state | key => 0x1F, 'b' => 1.5}}
  end
end

defprotocol Shop.Priced do
  def price(item)
end

defimpl Shop.Priced, for: Shop.Item do
  def price(%{price: price}), do: price
end

defmodule Shop.ItemTest do
  use ExUnit.Case

  describe "new" do
    test "makes one", %{name: name} do
      assert Shop.Item.new(name).name == name
    end
  end
end
